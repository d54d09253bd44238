#include "weir/pipeline/plan/device_graph.h"

#include <algorithm>
#include <numeric>

#include "weir/core/block.h"
#include "weir/core/error.h"

namespace weir::pipeline {
namespace {

/// Adds the subtrees of CPU nodes below the branch's parent, in the order of the whole graph.
void add_nodes(const Graph& graph, const std::vector<bool>& on_device, HostBranch& branch) {
  for (std::int64_t place = branch.parent + 1; place < graph.size(); ++place) {
    const std::int64_t parent = graph.node(place).parent;
    if (lies_on_device(on_device, place) || (parent != branch.parent && !branch.has(parent))) {
      continue;
    }
    branch.graph.nodes.push_back(graph.node(place));
    branch.graph.nodes.back().parent = parent == branch.parent ? kReader : branch.index_of(parent);
    branch.places.push_back(place);
  }
}

/// Where the steps of a branch get their events from.
void link_events(HostBranch& branch) {
  for (std::int64_t i = 0; i < branch.graph.size(); ++i) {
    auto& link = branch.graph.nodes[static_cast<std::size_t>(i)].events;
    if (!link || link->known != nullptr) {
      continue;
    }
    const std::int64_t detector = link->node;
    if (branch.has(detector)) {
      link->node = branch.index_of(detector);
    } else {
      link->node = kElsewhere;
      branch.heard.emplace_back(i, detector);
    }
  }
}

/// Every branch behind those whose events it takes; false where that cannot be.
bool put_in_order(std::vector<HostBranch>& branches) {
  const auto waits_for = [](const HostBranch& branch, const HostBranch& other) {
    return std::ranges::any_of(branch.heard,
                               [&](const auto& heard) { return other.has(heard.second); });
  };
  for (auto next = branches.begin(); next != branches.end(); ++next) {
    const auto ready = std::find_if(next, branches.end(), [&](const HostBranch& branch) {
      return std::none_of(next, branches.end(),
                          [&](const HostBranch& other) { return waits_for(branch, other); });
    });
    if (ready == branches.end()) {
      return false;
    }
    std::rotate(next, ready, ready + 1);
  }
  return true;
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

bool HostBranch::has(std::int64_t place) const {
  return std::ranges::find(places, place) != places.end();
}

std::int64_t HostBranch::index_of(std::int64_t place) const {
  return std::ranges::find(places, place) - places.begin();
}

std::optional<std::vector<HostBranch>> try_host_branches(const Graph& graph,
                                                         const std::vector<bool>& on_device) {
  std::vector<HostBranch> branches;
  for (std::int64_t at = kReader; at < graph.size(); ++at) {
    if (!lies_on_device(on_device, at)) {
      continue;
    }
    HostBranch branch;
    branch.parent = at;
    branch.graph.in = graph.stream(at);
    add_nodes(graph, on_device, branch);
    if (branch.graph.size() > 0) {
      link_events(branch);
      branches.push_back(std::move(branch));
    }
  }
  return put_in_order(branches) ? std::optional(std::move(branches)) : std::nullopt;
}

std::vector<HostBranch> host_branches(const Graph& graph, const std::vector<bool>& on_device) {
  auto branches = try_host_branches(graph, on_device);
  WEIR_CHECK(branches.has_value());  // `nodes_on` saw to that.
  return *std::move(branches);
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
