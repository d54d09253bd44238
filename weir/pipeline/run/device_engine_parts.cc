#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/pipeline/run/device_engine.h"

// What stands around the waves: where rows leave the device, the steps on the CPU, and states.
namespace weir::pipeline {

void DeviceEngine::attach(const std::vector<std::unique_ptr<Output>>& outputs) {
  make_departures(outputs);
  make_branches();
  make_late();
}

void DeviceEngine::depart(std::int64_t node, std::unique_ptr<Departure> departure,
                          std::int64_t output) {
  nodes_[index_of(node)].departures.push_back(departure.get());
  if (output >= 0) {
    departure_of_output_[output] = departure.get();
  }
  departures_.push_back(std::move(departure));
}

void DeviceEngine::make_departures(const std::vector<std::unique_ptr<Output>>& outputs) {
  const Graph& graph = parts_.graph;
  const op::DevicePlace place{*device_, *compute_, 0};
  for (std::int64_t i = 0; i < graph.size(); ++i) {
    if (on_device(i) && graph.emits_events(i)) {
      const std::int64_t channels = graph.stream(graph.node(i).parent).channel_count();
      const std::int64_t most = graph.node(i).step->max_events(channels, sizes_.in[index_of(i)]);
      auto departure = std::make_unique<EventDeparture>(*device_, most);
      nodes_[index_of(i)].events = departure.get();
      depart(i, std::move(departure), -1);
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const PlannedOutput& planned = parts_.plan.outputs[i];
    Output* output = outputs[i].get();
    if (output == nullptr) {
      continue;
    }
    if (planned.from == kReader) {
      reader_outputs_.push_back(output);
    } else if (!on_device(planned.from)) {
      branch_outputs_.emplace_back(planned.from, output);
    } else if (planned.snippets) {
      nodes_[index_of(planned.from)].late->sinks.push_back(output);
    } else if (planned.events) {
      EventDeparture* events = nodes_[index_of(planned.from)].events;
      events->deliver_to(*output);
      departure_of_output_[static_cast<std::int64_t>(i)] = events;
    } else {
      depart(planned.from,
             std::make_unique<RowDeparture>(place, planned, graph.stream(planned.from),
                                            sizes_.out[index_of(planned.from)], *output),
             static_cast<std::int64_t>(i));
    }
  }
}

void DeviceEngine::make_branches() {
  const op::DevicePlace place{*device_, *compute_, 0};
  for (HostBranch& part : host_branches(parts_.graph, parts_.place.on_device)) {
    branches_.push_back({std::move(part), nullptr, nullptr});
  }
  std::int64_t turn = 0;
  for (Branch& branch : branches_) {  // In their final places: departures know them.
    ++turn;
    const std::int64_t parent = branch.part.parent;
    const auto receive = [this, &branch](AnyBlock block) { push_on_host(block, branch); };
    if (parent != kReader) {
      auto departure = std::make_unique<BranchDeparture>(place, branch.part.graph.in,
                                                         sizes_.out[index_of(parent)]);
      departure->deliver_to(receive);
      departure->take_turn(turn);
      depart(parent, std::move(departure), -1);
    } else if (branch.part.waits()) {
      auto departure =
          std::make_unique<ChunkDeparture>(parts_.graph.in, parts_.place.chunk_frames, receive);
      departure->take_turn(turn);
      branch.chunks = departure.get();
      reader_departures_.push_back(departure.get());
      departures_.push_back(std::move(departure));
    }
  }
}

void DeviceEngine::begin_branch(Branch& branch) {
  const std::int64_t channels = branch.part.graph.in.channel_count();
  const auto groups = channels == parts_.graph.in.channel_count()
                          ? parts_.groups
                          : channel_groups(channels, parts_.threads.count());
  branch.run = std::make_unique<GraphRun>(branch.part.graph, GraphStart{segment_, 0},
                                          parts_.place.tile_frames, groups, parts_.threads);
  for (const auto& [node, output] : branch_outputs_) {
    if (branch.part.has(node)) {
      branch.run->attach(branch.part.index_of(node), *output);
    }
  }
}

void DeviceEngine::save(op::ByteWriter& to) {
  hand_on_all_but(0);
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    const Node& node = nodes_[index_of(i)];
    if (node.step != nullptr) {
      const op::Step& step = *parts_.graph.node(i).step;
      const auto state = step.start(start_of(i));
      node.step->hand_over(*state);
      step.save(*state, to);
    }
    if (node.late != nullptr) {
      to.put(node.late->given);
      node.late->mailbox->save(to);
    }
  }
  for (const Branch& branch : branches_) {
    branch.run->save(to);
  }
}

void DeviceEngine::load(op::ByteReader& from) {
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    const Node& node = nodes_[index_of(i)];
    if (node.step != nullptr) {
      const op::Step& step = *parts_.graph.node(i).step;
      const auto state = step.start(start_of(i));
      step.load(*state, from);
      node.step->take_over(*state);
    }
    if (node.late != nullptr) {
      node.late->given = from.get<std::int64_t>();
      node.late->mailbox->load(from);
    }
  }
  for (Branch& branch : branches_) {
    branch.run->load(from);
  }
}

/// Before the node's own tail, which no step counts anything in.
void DeviceEngine::count(std::int64_t node) {
  const GraphNode& planned = parts_.graph.node(node);
  const auto& step = nodes_[index_of(node)].step;
  if (step == nullptr) {
    return;
  }
  const auto state = planned.step->start(start_of(node));
  if (state->counters().empty()) {
    return;  // Most steps: their states are not worth the download.
  }
  step->hand_over(*state);
  for (const auto& counter : state->counters()) {
    counters_.push_back({fmt::format("node {}: {}", planned.name, counter.what), counter.count});
  }
}

std::vector<op::Counter> DeviceEngine::counters() const {
  std::vector<op::Counter> all = counters_;
  for (const Branch& branch : branches_) {
    for (auto& counter : branch.run->counters()) {
      all.push_back(std::move(counter));
    }
  }
  return all;
}

LinkReport DeviceEngine::link() const {
  LinkReport report = link_;
  report.downloaded_bytes.assign(parts_.plan.outputs.size(), 0);
  for (const auto& [output, departure] : departure_of_output_) {
    report.downloaded_bytes[static_cast<std::size_t>(output)] = departure->downloaded_bytes();
  }
  for (std::size_t i = 0; i < parts_.plan.outputs.size(); ++i) {
    const PlannedOutput& planned = parts_.plan.outputs[i];
    if (planned.snippets && on_device(planned.from)) {
      report.downloaded_bytes[i] = nodes_[index_of(planned.from)].late->snippets.bytes();
    }
  }
  return report;
}

std::unique_ptr<Engine> make_device_engine(EngineParts parts,
                                           std::shared_ptr<compute::Device> device) {
  return std::make_unique<DeviceEngine>(std::move(parts), std::move(device));
}

}  // namespace weir::pipeline
