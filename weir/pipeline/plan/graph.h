#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/op/step.h"
#include "weir/pipeline/plan/event_input.h"

namespace weir::pipeline {

/// Stands for the reader wherever a node's index is asked for.
inline constexpr std::int64_t kReader = -1;

/// One step of a graph and where its input comes from.
struct GraphNode {
  std::string name;  ///< The spec's node id; conversions carry the id of the node they serve.
  std::shared_ptr<const op::Step> step;
  std::int64_t parent = kReader;
  std::optional<EventsLink> events = std::nullopt;  ///< Of steps with an events input.
};

/// The steps of one input as a tree under the reader, parents before children and detectors before
/// the steps that take their events.
struct Graph {
  StreamInfo in;  ///< What the reader hands out.
  std::vector<GraphNode> nodes;

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(nodes.size()); }
  const GraphNode& node(std::int64_t index) const { return nodes[static_cast<std::size_t>(index)]; }
  /// What node `index` (or the reader) emits on its first port.
  const StreamInfo& stream(std::int64_t index) const;
  /// Of what node `index` (or the reader) emits.
  op::PortKind kind(std::int64_t index) const;
  bool emits_events(std::int64_t index) const { return kind(index) == op::PortKind::events; }
  std::vector<std::int64_t> children(std::int64_t index) const;
  /// The nodes from the reader's child down to `index`.
  std::vector<std::int64_t> path_to(std::int64_t index) const;
  /// Whether some step takes events.
  bool has_events_inputs() const noexcept;
  /// Group delay from the reader to what node `index` emits, in its output frames: how much later
  /// events stand than what caused them. Event tables keep the samples as they were found.
  Rational delay_to(std::int64_t index) const;
};

/// Neighbouring channels one State serves; `first` is a multiple of `kLanePadding`.
struct ChannelGroup {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// How `channels` are shared out: one group for one thread, else about two a thread.
std::vector<ChannelGroup> channel_groups(std::int64_t channels, std::int64_t threads);

/// What a step parallel over channels makes of groups of its input; see `op::Port::spread`.
std::vector<ChannelGroup> spread_out(std::span<const ChannelGroup> groups, std::int64_t spread);

/// The longest blocks that can travel in a graph when the reader's are at most `tile` frames.
struct GraphSizes {
  std::vector<std::int64_t> in;   ///< Into each node, per round.
  std::vector<std::int64_t> out;  ///< Out of each node, per round.
};
GraphSizes graph_sizes(const Graph& graph, std::int64_t tile);

/// Rows `node` (or the reader) can emit while `push_frames` of the reader's pass in tiles.
std::int64_t rows_of_push(const Graph& graph, std::int64_t node, std::int64_t push_frames,
                          std::int64_t tile_frames);

/// Whether a node's whole-width output must be gathered: some child works across channels.
bool needs_gathering(const Graph& graph, std::int64_t index);

/// What one thread needs for a node's output while it carries a tile; 0 frames: nothing.
struct DeskShape {
  std::int64_t room_frames = 0;
  std::int64_t room_channels = 0;  ///< Of the largest group, or all.
  std::int64_t gather_frames = 0;
};
/// `groups`: of the node's output.
DeskShape desk_shape(const Graph& graph, std::int64_t index, std::span<const ChannelGroup> groups,
                     const GraphSizes& sizes);

}  // namespace weir::pipeline
