#include "weir/pipeline/plan/graph.h"

#include <algorithm>

#include "weir/op/run_step.h"

namespace weir::pipeline {

const StreamInfo& Graph::stream(std::int64_t index) const {
  return index == kReader ? in : node(index).step->ports().front().stream;
}

op::PortKind Graph::kind(std::int64_t index) const {
  return index == kReader ? op::PortKind::signal : node(index).step->ports().front().kind;
}

std::vector<std::int64_t> Graph::children(std::int64_t index) const {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < size(); ++i) {
    if (node(i).parent == index) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::int64_t> Graph::path_to(std::int64_t index) const {
  std::vector<std::int64_t> path;
  for (std::int64_t at = index; at != kReader; at = node(at).parent) {
    path.push_back(at);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

bool Graph::has_events_inputs() const noexcept {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const GraphNode& node) { return node.events.has_value(); });
}

Rational Graph::delay_to(std::int64_t index) const {
  Rational delay;
  for (const std::int64_t at : path_to(index)) {
    const op::Port& port = node(at).step->ports().front();
    delay = delay * port.ratio + port.delay_frames;
  }
  return delay;
}

std::vector<ChannelGroup> channel_groups(std::int64_t channels, std::int64_t threads) {
  const std::int64_t packs = (channels + kLanePadding - 1) / kLanePadding;
  const std::int64_t wanted = threads <= 1 ? 1 : std::min(packs, 2 * threads);
  std::vector<ChannelGroup> groups;
  for (std::int64_t i = 0; i < wanted; ++i) {
    const std::int64_t first = packs * i / wanted * kLanePadding;
    const std::int64_t end = std::min(channels, packs * (i + 1) / wanted * kLanePadding);
    groups.push_back({first, end - first});
  }
  return groups;
}

std::vector<ChannelGroup> spread_out(std::span<const ChannelGroup> groups, std::int64_t spread) {
  std::vector<ChannelGroup> wide;
  wide.reserve(groups.size());
  for (const auto& group : groups) {
    wide.push_back({group.first * spread, group.count * spread});
  }
  return wide;
}

GraphSizes graph_sizes(const Graph& graph, std::int64_t tile) {
  GraphSizes sizes;
  for (const auto& node : graph.nodes) {
    const std::int64_t in =
        node.parent == kReader ? tile : sizes.out[static_cast<std::size_t>(node.parent)];
    const std::int64_t grid = node.step->grid_frames();
    const std::int64_t longest = std::max(in, grid);
    // A round may complete a held grid and then run whole grids of its own; behind a step with a
    // grid, input may arrive in two pieces, each of which may round its output up.
    const bool in_pieces =
        node.parent != kReader && graph.node(node.parent).step->grid_frames() > 1;
    const std::int64_t out = node.step->max_output(longest) +
                             (grid > 1 ? node.step->max_output(grid) : 0) +
                             (in_pieces ? 2 * node.step->max_output(1) : 0);
    sizes.in.push_back(in);
    sizes.out.push_back(node.step->relabels_only() ? in : out);
  }
  return sizes;
}

bool needs_gathering(const Graph& graph, std::int64_t index) {
  if (index == kReader || graph.node(index).step->parallel() == op::Parallel::frames) {
    return false;
  }
  const auto children = graph.children(index);
  return std::any_of(children.begin(), children.end(), [&](std::int64_t child) {
    return graph.node(child).step->parallel() != op::Parallel::channels;
  });
}

std::int64_t rows_of_push(const Graph& graph, std::int64_t node, std::int64_t push_frames,
                          std::int64_t tile_frames) {
  if (node == kReader) {
    return push_frames;
  }
  const auto at = static_cast<std::size_t>(node);
  // What a step still held of the tiles before may come out with this push.
  return graph_sizes(graph, push_frames).out[at] + graph_sizes(graph, tile_frames).out[at];
}

DeskShape desk_shape(const Graph& graph, std::int64_t index, std::span<const ChannelGroup> groups,
                     const GraphSizes& sizes) {
  const op::Step& step = *graph.node(index).step;
  const auto at = static_cast<std::size_t>(index);
  DeskShape shape;
  shape.room_channels = graph.stream(index).channel_count();
  if (step.parallel() == op::Parallel::frames) {
    shape.room_frames = sizes.out[at];
    return shape;
  }
  if (!step.relabels_only()) {
    shape.room_frames = op::StepRun::room_frames(step, sizes.in[at]);
  }
  if (step.parallel() == op::Parallel::channels) {
    shape.room_channels =
        std::max_element(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
          return a.count < b.count;
        })->count;
  }
  if (step.parallel() == op::Parallel::none || needs_gathering(graph, index)) {
    shape.gather_frames = sizes.out[at];
  }
  return shape;
}

}  // namespace weir::pipeline
