#include <algorithm>

#include "weir/core/error.h"
#include "weir/pipeline/run/device_engine.h"

// Steps on the device that hear: the rows of a wave stay there until its events, which other steps
// on the device or on the CPU find, have come to the host.
namespace weir::pipeline {

/// Behind every branch, whose detectors they may hear.
void DeviceEngine::make_late() {
  const op::DevicePlace place{*device_, *compute_, 0};
  const auto turn = static_cast<std::int64_t>(branches_.size()) + 1;
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    if (nodes_[index_of(i)].late == nullptr) {
      continue;
    }
    const std::int64_t parent = parts_.graph.node(i).parent;
    const std::int64_t rows =
        parent == kReader ? parts_.place.chunk_frames : sizes_.out[index_of(parent)];
    auto departure =
        std::make_unique<LateDeparture>(place, *late_, parts_.graph.stream(parent), rows,
                                        [this, i](const op::DeviceBlock& in) { run_late(i, in); });
    departure->take_turn(turn);
    if (parent == kReader) {
      reader_departures_.push_back(departure.get());
      departures_.push_back(std::move(departure));
    } else {
      depart(parent, std::move(departure), -1);
    }
  }
}

/// `into` gets the events of this segment.
void DeviceEngine::listen(std::int64_t detector, Sink& into) {
  if (on_device(detector)) {
    nodes_[index_of(detector)].events->listen(into);
    return;
  }
  const auto finder = std::ranges::find_if(
      branches_, [&](const Branch& branch) { return branch.part.has(detector); });
  WEIR_CHECK(finder != branches_.end() && finder->run != nullptr);
  finder->run->attach(finder->part.index_of(detector), into);
}

void DeviceEngine::begin_late(std::int64_t node) {
  Late& late = *nodes_[index_of(node)].late;
  late.given = 0;
  late.mailbox = make_mailbox(parts_.graph, node, segment_);
  if (auto* found = dynamic_cast<FoundEvents*>(late.mailbox.get())) {
    listen(parts_.graph.node(node).events->node, *found);
  }
}

void DeviceEngine::run_late(std::int64_t node, const op::DeviceBlock& in) {
  Node& own = nodes_[index_of(node)];
  if (in.frames == 0) {
    return;
  }
  EventList events;
  own.late->given += in.frames;
  own.late->mailbox->take(own.late->given, events);
  op::DeviceEmission out;
  out.snippets = &own.late->snippets;
  in_context("node " + parts_.graph.node(node).name, [&] {
    own.step->hear(events);
    own.step->run(in, {&out, 1});
  });
  std::ranges::for_each(own.late->sinks, &Sink::turn_over);
}

void DeviceEngine::finish_late() {
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    Node& node = nodes_[index_of(i)];
    if (node.late == nullptr) {
      continue;
    }
    EventList events;
    node.late->mailbox->take_rest(events);
    op::DeviceEmission out;
    out.snippets = &node.late->snippets;
    in_context("node " + parts_.graph.node(i).name, [&] {
      node.step->hear(events);
      count(i);
      while (!node.step->finish({&out, 1})) {
      }
    });
    std::ranges::for_each(node.late->sinks, &Sink::turn_over);
  }
}

}  // namespace weir::pipeline
