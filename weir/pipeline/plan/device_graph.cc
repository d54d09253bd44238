#include "weir/pipeline/plan/device_graph.h"

#include <algorithm>
#include <numeric>

#include "weir/core/block.h"

namespace weir::pipeline {
namespace {

/// Adds the subtrees of CPU nodes below `at`; `above` is where `at` stands in the branch.
void add_below(const Graph& graph, const std::vector<bool>& on_device, std::int64_t at,
               std::int64_t above, HostBranch& branch) {
  for (const std::int64_t child : graph.children(at)) {
    if (lies_on_device(on_device, child)) {
      continue;
    }
    branch.graph.nodes.push_back(graph.node(child));
    branch.graph.nodes.back().parent = above;
    branch.places.push_back(child);
    add_below(graph, on_device, child, branch.graph.size() - 1, branch);
  }
}

/// Whether a step on the CPU takes the very rows that `at` emits.
bool host_sees_rows_of(const Graph& graph, const std::vector<bool>& on_device, std::int64_t at) {
  const auto children = graph.children(at);
  return std::any_of(children.begin(), children.end(), [&](std::int64_t child) {
    return !on_device[static_cast<std::size_t>(child)] ||
           (graph.node(child).step->relabels_only() && host_sees_rows_of(graph, on_device, child));
  });
}

}  // namespace

bool lies_on_device(const std::vector<bool>& on_device, std::int64_t index) {
  return index == kReader || on_device[static_cast<std::size_t>(index)];
}

std::vector<ChannelGroup> output_groups(const Graph& graph, const std::vector<bool>& on_device,
                                        std::int64_t index, std::span<const ChannelGroup> groups,
                                        std::int64_t threads) {
  if (index == kReader) {
    return {groups.begin(), groups.end()};
  }
  const GraphNode& node = graph.node(index);
  const bool from_device = !on_device.empty() && lies_on_device(on_device, index);
  if (!from_device && node.step->parallel() == op::Parallel::channels) {
    return spread_out(output_groups(graph, on_device, node.parent, groups, threads),
                      node.step->ports().front().spread);
  }
  const std::int64_t channels = graph.stream(index).channel_count();
  return channels == graph.in.channel_count()
             ? std::vector<ChannelGroup>(groups.begin(), groups.end())
             : channel_groups(channels, threads);
}

std::vector<HostBranch> host_branches(const Graph& graph, const std::vector<bool>& on_device) {
  std::vector<HostBranch> branches;
  for (std::int64_t at = kReader; at < graph.size(); ++at) {
    if (!lies_on_device(on_device, at)) {
      continue;
    }
    HostBranch branch;
    branch.parent = at;
    branch.graph.in = graph.stream(at);
    add_below(graph, on_device, at, kReader, branch);
    if (branch.graph.size() > 0) {
      branches.push_back(std::move(branch));
    }
  }
  return branches;
}

bool chunks_are_packed(const Graph& graph, const std::vector<bool>& on_device) {
  return graph.in.type == SampleType::int16 && !host_sees_rows_of(graph, on_device, kReader);
}

bool picks_channels(const PlannedOutput& output, const StreamInfo& stream) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(stream.channel_count()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return output.channels != all;
}

bool copies_counts(const PlannedOutput& output, const StreamInfo& stream) {
  return stream.type == SampleType::int16 && output.recording.stream.type == SampleType::int16 &&
         std::all_of(output.gain.begin(), output.gain.end(),
                     [](float gain) { return gain == 1.0F; });
}

bool widens_counts(const PlannedOutput& output, const StreamInfo& stream) {
  return stream.type == SampleType::int16 && output.recording.stream.type == SampleType::int16 &&
         !copies_counts(output, stream);
}

std::int64_t chunk_stride(std::int64_t channels, bool packed) noexcept {
  return packed ? channels : padded_channels(channels);
}

}  // namespace weir::pipeline
