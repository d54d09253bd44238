#include "weir/pipeline/run/graph_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/pipeline/run/graph_run_internal.h"

namespace weir::pipeline {
namespace {
/// Thrown where a tile waits for one that will never come.
struct Abandoned {};

/// Input frame of `node` that stands where the reader's `first` does.
std::int64_t start_frame(const Graph& graph, std::int64_t node, std::int64_t first) {
  Rational at(first);
  for (std::int64_t up = graph.node(node).parent; up != kReader; up = graph.node(up).parent) {
    at = at * graph.node(up).step->ports().front().ratio;
  }
  WEIR_CHECK(at.denominator() == 1);
  return at.numerator();
}

op::StartPoint start_point(const Graph& graph, std::int64_t node, const GraphStart& start) {
  op::StartPoint point;
  point.segment = start.segment;
  point.first_frame = start_frame(graph, node, start.first_frame);
  point.channel_count = graph.stream(graph.node(node).parent).channel_count();
  return point;
}
}  // namespace

GraphRun::GraphRun(const Graph& graph, const GraphStart& start, std::int64_t tile_frames,
                   std::span<const ChannelGroup> groups, Threads& threads)
    : graph_(graph),
      threads_(threads),
      tile_frames_(tile_frames),
      groups_(groups.begin(), groups.end()) {
  const GraphSizes sizes = graph_sizes(graph, tile_frames);
  auto reader = std::make_unique<NodeRun>();
  reader->groups = groups_;
  reader->lanes.resize(groups_.size());
  nodes_.push_back(std::move(reader));
  for (std::int64_t i = 0; i < graph.size(); ++i) {
    make_node(i, start_point(graph, i, start), sizes);
  }
  for (std::int64_t i = 0; i < threads.count(); ++i) {
    make_desk(start, sizes);
  }
}

GraphRun::~GraphRun() = default;

GraphRun::NodeRun& GraphRun::at(std::int64_t node) {
  return *nodes_[index_of(node)];
}

void GraphRun::make_node(std::int64_t index, const op::StartPoint& start, const GraphSizes& sizes) {
  const GraphNode& node = graph_.node(index);
  const op::Step& step = *node.step;
  const StreamInfo& out = graph_.stream(index);
  auto run = std::make_unique<NodeRun>();
  run->parallel = step.parallel();
  run->relabels = step.relabels_only();
  run->longest_in = sizes.in[static_cast<std::size_t>(index)];
  run->longest_out = sizes.out[static_cast<std::size_t>(index)];
  const std::vector<ChannelGroup>& groups = at(node.parent).groups;
  if (run->parallel == op::Parallel::channels) {
    run->groups = spread_out(groups, step.ports().front().spread);
  } else {
    run->groups = out.channel_count() == graph_.in.channel_count()
                      ? groups_
                      : channel_groups(out.channel_count(), threads_.count());
  }
  run->lanes.resize(run->groups.size());
  const auto add_run = [&](const op::StartPoint& point) {
    run->runs.push_back(
        std::make_unique<op::StepRun>(step, point, run->longest_in, op::Room::lent));
  };
  if (run->parallel == op::Parallel::channels && !run->relabels) {
    for (const auto& group : groups) {
      op::StartPoint point = start;
      point.first_channel = group.first;
      point.channel_count = group.count;
      add_run(point);
    }
  } else if (run->parallel == op::Parallel::none) {
    add_run(start);
    run->runs.front()->deliver_snippets(run->snippets);
  }
  if (node.events) {
    connect_events(index, start.segment, *run);
  }
  auto& siblings = at(node.parent);
  (run->parallel == op::Parallel::channels ? siblings.channel_children : siblings.wide_children)
      .push_back(index);
  nodes_.push_back(std::move(run));
}

void GraphRun::connect_events(std::int64_t index, std::int64_t segment, NodeRun& run) {
  const EventsLink& link = *graph_.node(index).events;
  run.mailbox = make_mailbox(graph_, index, segment);
  auto* found = dynamic_cast<FoundEvents*>(run.mailbox.get());
  if (found != nullptr && link.node != kElsewhere) {
    attach(link.node, *found);
  }
  run.runs.front()->connect(*run.mailbox);
}

void GraphRun::make_desk(const GraphStart& start, const GraphSizes& sizes) {
  auto desk = std::make_unique<Desk>();
  desk->rooms.resize(nodes_.size());
  desk->gathers.resize(nodes_.size());
  desk->slots.resize(nodes_.size());
  for (std::int64_t node = 0; node < graph_.size(); ++node) {
    const NodeRun& run = at(node);
    const DeskShape shape = desk_shape(graph_, node, run.groups, sizes);
    const StreamInfo& out = graph_.stream(node);
    if (shape.room_frames > 0) {
      desk->rooms[index_of(node)] = Buffer(out.type, shape.room_frames, shape.room_channels);
    }
    if (shape.gather_frames > 0) {
      const std::size_t groups = run.parallel == op::Parallel::none ? 1 : run.groups.size();
      desk->gathers[index_of(node)] = std::make_unique<Gather>(out, groups, shape.gather_frames);
    }
    if (run.parallel == op::Parallel::frames) {
      desk->slots[index_of(node)] = graph_.node(node).step->start(start_point(graph_, node, start));
    }
  }
  desks_.push_back(std::move(desk));
}

Sink& GraphRun::events_into(std::int64_t node) {
  auto* found = dynamic_cast<FoundEvents*>(at(node).mailbox.get());
  WEIR_CHECK(found != nullptr);
  return *found;
}

/// More would only wait for one another: tiles pass one another nowhere but in rows without state.
std::int64_t GraphRun::useful_threads() const {
  std::size_t most = 1;
  for (const auto& node : nodes_) {
    if (node->parallel == op::Parallel::frames) {
      return threads_.count();
    }
    most = std::max(most, node->groups.size());
  }
  return std::min(threads_.count(), static_cast<std::int64_t>(most));
}

void GraphRun::attach(std::int64_t node, Sink& sink) {
  at(node).sinks.push_back(&sink);
}

void GraphRun::emit(std::int64_t node, std::size_t group, AnyBlock block, const Seat& seat) {
  NodeRun& run = at(node);
  Gather* gather = seat.meeting->gathers[index_of(node)].get();
  if (run.parallel == op::Parallel::none && node != kReader) {
    gather->rows(0, {0, block.channels()}, block);
    return;
  }
  for (Sink* sink : run.sinks) {
    sink->rows(group, run.groups[group], block);
  }
  if (gather != nullptr) {
    gather->rows(group, run.groups[group], block);
  }
  for (const std::int64_t child : run.channel_children) {
    push_group(child, group, block, seat);
  }
}

op::Receiver GraphRun::receiver(const Place& place) {
  return [&place, this](AnyBlock block, EventList& events) {
    if (!events.empty()) {
      for (Sink* sink : at(place.node).sinks) {
        sink->events(place.group, events);
      }
    }
    if (block.frames() > 0) {
      emit(place.node, place.group, block, place.seat);
    }
  };
}

void GraphRun::lend_room(const Place& place) {
  op::StepRun& run = *at(place.node).runs[place.group];
  const Buffer& room = place.seat.desk->rooms[index_of(place.node)];
  const std::int64_t channels = at(place.node).parallel == op::Parallel::none
                                    ? graph_.stream(place.node).channel_count()
                                    : at(place.node).groups[place.group].count;
  run.lend(room.frames() > 0 ? room.block().columns(0, channels) : AnyBlock());
}

void GraphRun::push_group(std::int64_t node, std::size_t group, AnyBlock block, const Seat& seat) {
  NodeRun& run = at(node);
  if (run.relabels) {
    emit(node, group, block, seat);
    return;
  }
  const Place place{node, group, seat};
  lend_room(place);
  run.runs[group]->push(block, receiver(place));
}

/// A block of all channels that `node` emitted: into its sinks and everything below it.
void GraphRun::push_wide(std::int64_t node, AnyBlock block, const Seat& seat) {
  NodeRun& run = at(node);
  const bool by_groups = !run.channel_children.empty() || !run.sinks.empty();
  for (std::size_t group = 0; by_groups && group < run.groups.size(); ++group) {
    if (!run.lanes[group].enter(seat.tile, failed_)) {
      throw Abandoned();
    }
    const ChannelGroup& channels = run.groups[group];
    const AnyBlock columns = block.columns(channels.first, channels.count);
    for (Sink* sink : run.sinks) {
      sink->rows(group, channels, columns);
    }
    for (const std::int64_t child : run.channel_children) {
      push_group(child, group, columns, seat);
    }
    run.lanes[group].leave(seat.tile);
  }
  into_gathered(node, seat);
  for (const std::int64_t child : run.wide_children) {
    into_wide(child, block, seat);
  }
}

/// The meeting points among the steps that hang below `node` by groups.
void GraphRun::into_gathered(std::int64_t node, const Seat& seat) {
  for (const std::int64_t child : at(node).channel_children) {
    into_gathered(child, seat);
    if (Gather* gather = seat.meeting->gathers[index_of(child)].get()) {
      const AnyBlock block = gather->take();
      for (const std::int64_t wide : at(child).wide_children) {
        into_wide(wide, block, seat);
      }
    }
  }
}

void GraphRun::into_wide(std::int64_t node, AnyBlock block, const Seat& seat) {
  if (at(node).mailbox != nullptr) {
    seat.desk->put_off.emplace_back(node, block);  // Its memory is the desk's until the tile's end.
  } else {
    run_wide(node, block, seat);
  }
}

/// What was put off, in the order of the graph, where detectors stand before who takes their
/// events; new ones may come up below.
void GraphRun::run_put_off(const Seat& seat) {
  auto& put_off = seat.desk->put_off;
  while (!put_off.empty()) {
    const auto first =
        std::ranges::min_element(put_off, {}, &std::pair<std::int64_t, AnyBlock>::first);
    const auto [node, block] = *first;
    put_off.erase(first);
    run_wide(node, block, seat);
  }
}

/// Runs a step that works across channels, and everything below it.
void GraphRun::run_wide(std::int64_t node, AnyBlock block, const Seat& seat) {
  NodeRun& run = at(node);
  if (run.parallel == op::Parallel::frames) {
    const AnyBlock room = seat.desk->rooms[index_of(node)].first(block.frames());
    if (block.frames() > 0) {
      const op::FlushToZero guard;
      std::array<op::Emission, 1> out{{{room, 0, nullptr}}};
      graph_.node(node).step->run(*seat.desk->slots[index_of(node)], block, out);
      WEIR_CHECK(out[0].frames == block.frames());
    }
    push_wide(node, room, seat);
    return;
  }
  if (!run.entry.enter(seat.tile, failed_)) {
    throw Abandoned();
  }
  const Place place{node, 0, seat};
  lend_room(place);
  run.runs.front()->push(block, receiver(place));
  run.entry.leave(seat.tile);
  if (Gather* gather = seat.meeting->gathers[index_of(node)].get()) {
    push_wide(node, gather->take(), seat);
  }
}

/// One thread's share: tiles in their order, each carried to the end before the next is taken.
void GraphRun::carry(Desk& desk, AnyBlock block, std::int64_t tile_frames, const Start& start) {
  const std::int64_t tiles = (block.frames() + tile_frames - 1) / tile_frames;
  try {
    for (std::int64_t tile = next_tile_++; tile < tiles && !failed_; tile = next_tile_++) {
      const std::int64_t first = tile * tile_frames;
      const Seat seat{&desk, &desk, tile};
      start(block.slice(first, std::min(tile_frames, block.frames() - first)), seat);
      run_put_off(seat);
    }
  } catch (const Abandoned&) {  // NOLINT(bugprone-empty-catch): who failed keeps the reason.
  } catch (...) {
    if (!failed_.exchange(true)) {
      failure_ = std::current_exception();
    }
  }
}

void GraphRun::share_out(AnyBlock block, std::int64_t tile_frames, const Start& start) {
  for (auto& node : nodes_) {
    node->entry.reset();
    std::for_each(node->lanes.begin(), node->lanes.end(), [](Lane& lane) { lane.reset(); });
  }
  next_tile_ = 0;
  const std::int64_t tiles = (block.frames() + tile_frames - 1) / tile_frames;
  threads_.run(std::min(tiles, useful_threads()), [&](std::int64_t worker) {
    carry(*desks_[static_cast<std::size_t>(worker)], block, tile_frames, start);
  });
  if (failed_) {
    std::rethrow_exception(failure_);
  }
  turn_over();
}

void GraphRun::turn_over() {
  for (auto& node : nodes_) {
    for (Sink* sink : node->sinks) {
      sink->turn_over();
    }
  }
}

void GraphRun::push(AnyBlock block) {
  share_out(block, tile_frames_,
            [this](AnyBlock tile, const Seat& seat) { push_wide(kReader, tile, seat); });
}

void GraphRun::save(op::ByteWriter& to) const {
  for (const auto& node : nodes_) {
    for (const auto& run : node->runs) {
      run->save(to);
    }
    if (node->mailbox != nullptr) {
      node->mailbox->save(to);
    }
  }
}

void GraphRun::load(op::ByteReader& from) {
  for (auto& node : nodes_) {
    for (auto& run : node->runs) {
      run->load(from);
    }
    if (node->mailbox != nullptr) {
      node->mailbox->load(from);
    }
  }
}

std::vector<op::Counter> GraphRun::counters() const {
  std::vector<op::Counter> all;
  for (std::int64_t i = 0; i < graph_.size(); ++i) {
    for (const auto& run : nodes_[index_of(i)]->runs) {
      for (const auto& counter : run->state().counters()) {
        const std::string what = fmt::format("node {}: {}", graph_.node(i).name, counter.what);
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const op::Counter& c) { return c.what == what; });
        if (known == all.end()) {
          all.push_back({what, counter.count});
        } else {
          known->count += counter.count;
        }
      }
    }
  }
  return all;
}

}  // namespace weir::pipeline
