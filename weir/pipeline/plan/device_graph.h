#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// The steps on the CPU that hang below one node on a device, or below the reader, as a graph of
/// their own.
struct HostBranch {
  std::int64_t parent = kReader;
  Graph graph;                       ///< Reads what the parent emits.
  std::vector<std::int64_t> places;  ///< Where its nodes stand in the whole graph.
  /// The nodes that take events of a detector that is not in it, and that detector's place in the
  /// whole graph.
  std::vector<std::pair<std::int64_t, std::int64_t>> heard;

  bool has(std::int64_t place) const;
  /// Where the node that stands at `place` in the whole graph stands here.
  std::int64_t index_of(std::int64_t place) const;
  /// Whether its rows must wait for the device or for another branch.
  bool waits() const noexcept { return !heard.empty(); }
};

/// All of a graph whose nodes are on a device where `on_device` says so; who finds events before
/// who takes them. Nothing where two branches would have to wait for each other.
std::optional<std::vector<HostBranch>> try_host_branches(const Graph& graph,
                                                         const std::vector<bool>& on_device);
/// The same where it is known that there are such.
std::vector<HostBranch> host_branches(const Graph& graph, const std::vector<bool>& on_device);

/// Whether node `index` (or the reader's stream) lies on the device.
bool lies_on_device(const std::vector<bool>& on_device, std::int64_t index);

/// How the channels that node `index` (or the reader) emits are shared out when the reader's are in
/// `groups`. `on_device`: empty on the CPU.
std::vector<ChannelGroup> output_groups(const Graph& graph, const std::vector<bool>& on_device,
                                        std::int64_t index, std::span<const ChannelGroup> groups,
                                        std::int64_t threads);

/// Whether no step on the CPU sees the rows that are read: they need no padding then.
bool chunks_are_packed(const Graph& graph, const std::vector<bool>& on_device);
/// Whether an output has not all channels of its stream, in their order.
bool picks_channels(const PlannedOutput& output, const StreamInfo& stream);
/// Whether stored integers are written as they are, or become others by way of float32.
bool copies_counts(const PlannedOutput& output, const StreamInfo& stream);
bool widens_counts(const PlannedOutput& output, const StreamInfo& stream);

/// Samples from row to row of a chunk.
std::int64_t chunk_stride(std::int64_t channels, bool packed) noexcept;

}  // namespace weir::pipeline
