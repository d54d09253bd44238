#include <fmt/format.h>

#include <algorithm>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/pipeline/plan/claims.h"
#include "weir/pipeline/plan/device_graph.h"
#include "weir/pipeline/plan/size_input.h"

namespace weir::pipeline {
namespace {
/// Bytes of input that keep a device busy for many times as long as its launches take.
constexpr std::int64_t kChunkBytes = 32 << 20;
constexpr std::int64_t kLeastChunkBytes = 1 << 20;
/// And that a link carries for several times as long: about 50 us of calls for a chain of three
/// steps, 160 us of a link of 50 GB/s.
constexpr std::int64_t kBatchBytes = 8 << 20;
/// Of a device's memory: the rest is for the driver and whoever else uses it.
constexpr double kShareOfDevice = 0.8;

std::size_t bytes_of(std::int64_t rows, std::int64_t width, SampleType type) {
  return static_cast<std::size_t>(rows * width) * size_of(type);
}

/// Whether an output's rows are converted on the device and then downloaded.
bool leaves_in_rows(const PlannedOutput& output, const Placement& place) {
  return !output.events && !output.snippets && output.from != kReader &&
         lies_on_device(place.on_device, output.from);
}

/// Bytes of the rooms of everything that leaves the device, on either side of the link.
std::size_t departure_bytes(const InputPlan& plan, const Placement& place,
                            const GraphSizes& sizes) {
  std::size_t bytes = 0;
  const auto rows_at = [&](std::int64_t node) { return sizes.out[static_cast<std::size_t>(node)]; };
  for (const auto& output : plan.outputs) {
    if (leaves_in_rows(output, place)) {
      const StreamInfo& stream = output.recording.stream;
      bytes += bytes_of(rows_at(output.from), stream.channel_count(), stream.type) +
               bytes_of(1, stream.channel_count(), SampleType::int32);
    }
  }
  for (const HostBranch& branch : host_branches(plan.graph, place.on_device)) {
    if (branch.parent != kReader) {
      bytes += bytes_of(rows_at(branch.parent), padded_channels(branch.graph.in.channel_count()),
                        branch.graph.in.type);
    }
  }
  return static_cast<std::size_t>(kDepartureSlots) * bytes;
}

/// Whether node `index` runs on the device once the events of its rows are known.
bool runs_late(const InputPlan& plan, const Placement& place, std::int64_t index) {
  return place.on_device[static_cast<std::size_t>(index)] && plan.graph.node(index).step->hears();
}

/// Bytes of the rows on the device that wait for events.
std::size_t late_bytes(const InputPlan& plan, const Placement& place, const GraphSizes& sizes,
                       std::int64_t index) {
  const std::int64_t parent = plan.graph.node(index).parent;
  const StreamInfo& in = plan.graph.stream(parent);
  const std::int64_t rows =
      parent == kReader ? place.chunk_frames : sizes.out[static_cast<std::size_t>(parent)];
  return static_cast<std::size_t>(kDepartureSlots) *
         bytes_of(rows, padded_channels(in.channel_count()), in.type);
}

/// Between a node's room and what leaves: channels picked, counts widened.
std::size_t conversion_bytes(const InputPlan& plan, const Placement& place,
                             const GraphSizes& sizes) {
  std::size_t bytes = 0;
  for (const auto& output : plan.outputs) {
    if (!leaves_in_rows(output, place)) {
      continue;
    }
    const StreamInfo& stream = plan.graph.stream(output.from);
    const std::int64_t width = output.recording.stream.channel_count();
    const std::int64_t rows = sizes.out[static_cast<std::size_t>(output.from)];
    if (picks_channels(output, stream) && !copies_counts(output, stream)) {
      bytes += bytes_of(rows, width, stream.type);
    }
    if (widens_counts(output, stream)) {
      bytes += bytes_of(rows, width, SampleType::float32);
    }
    bytes += 4 * bytes_of(1, width, SampleType::float32);  // Tables.
  }
  return bytes;
}

void claim_device(const InputPlan& plan, Placement& place, const GraphSizes& sizes) {
  const StreamInfo& in = plan.graph.in;
  MemoryBudget& budget = place.device_budget;
  const std::int64_t stride =
      chunk_stride(in.channel_count(), chunks_are_packed(plan.graph, place.on_device));
  budget.claim("chunks", static_cast<std::size_t>(kArrivalSlots) *
                             bytes_of(place.chunk_frames, stride, in.type));
  for (std::int64_t i = 0; i < plan.graph.size(); ++i) {
    const GraphNode& node = plan.graph.node(i);
    const auto at = static_cast<std::size_t>(i);
    if (!place.on_device[at] || node.step->relabels_only()) {
      continue;
    }
    const std::int64_t channels = plan.graph.stream(node.parent).channel_count();
    budget.claim(fmt::format("node {}: state", node.name),
                 node.step->device_bytes(channels, sizes.in[at]));
    if (runs_late(plan, place, i)) {
      budget.claim(fmt::format("node {}: rows that wait for events", node.name),
                   late_bytes(plan, place, sizes, i));
      continue;
    }
    const StreamInfo& out = plan.graph.stream(i);
    const std::size_t room =
        plan.graph.emits_events(i)
            ? static_cast<std::size_t>(kDepartureSlots) *
                  op::DeviceEvents::bytes_for(node.step->max_events(channels, sizes.in[at]))
            : bytes_of(sizes.out[at], padded_channels(out.channel_count()), out.type);
    budget.claim(fmt::format("node {}: output", node.name), room);
  }
  budget.claim("rows on their way out",
               departure_bytes(plan, place, sizes) + conversion_bytes(plan, place, sizes));
}

void claim_host(const PlanData& data, const InputPlan& plan, Placement& place,
                const GraphSizes& sizes) {
  const StreamInfo& in = plan.graph.in;
  const std::int64_t stride =
      chunk_stride(in.channel_count(), chunks_are_packed(plan.graph, place.on_device));
  place.budget.claim("read ahead", kReadAhead * bytes_of(place.chunk_frames, stride, in.type));
  place.budget.claim("reader", plan.input.source->cache_bytes(place.chunk_frames));
  place.budget.claim("rows on their way from the device", departure_bytes(plan, place, sizes));
  const auto tables = std::count_if(plan.outputs.begin(), plan.outputs.end(),
                                    [](const PlannedOutput& output) { return output.events; });
  place.budget.claim("events on their way from the device",
                     static_cast<std::size_t>(tables * kDepartureSlots) *
                         op::DeviceEvents::bytes_for(kEventsAtOnce));
  for (const HostBranch& branch : host_branches(plan.graph, place.on_device)) {
    claim_steps(branch.graph, place.tile_frames, data.threads, place.budget);
    if (branch.parent == kReader && branch.waits()) {
      place.budget.claim("chunks that wait for events",
                         static_cast<std::size_t>(kDepartureSlots) *
                             Buffer::bytes_for(in.type, place.chunk_frames, in.channel_count()));
    }
  }
  for (std::int64_t i = 0; i < plan.graph.size(); ++i) {
    if (runs_late(plan, place, i)) {
      const GraphNode& node = plan.graph.node(i);
      place.budget.claim(fmt::format("node {}: snippets from the device", node.name),
                         op::snippet_room_bytes(node.step->ports().front()));
    }
  }
  claim_fits(plan.graph, data.threads, place.budget);
  claim_outputs(plan, place);
  if (place.target.kind == compute::TargetKind::host || place.target.is_processor) {
    place.budget.claim("device memory", place.device_budget.claimed());
  }
}

/// As many chunks of the length asked for as make `wanted` bytes. Where they are cut changes no
/// bit.
std::int64_t batch(const PlanData& data, std::int64_t chunk_frames, std::int64_t row_bytes,
                   std::int64_t wanted) {
  if (data.spec.execution.chunk_s <= 0 || !data.options.batch_chunks) {
    return chunk_frames;
  }
  return chunk_frames * std::max<std::int64_t>(1, wanted / (chunk_frames * row_bytes));
}

std::int64_t longest_segment(const StreamInfo& stream) {
  std::int64_t longest = 1;
  for (const auto& segment : stream.segments) {
    longest = std::max(longest, segment.frames);
  }
  return longest;
}
}  // namespace

Placement size_on_device(const PlanData& data, const InputPlan& plan, const compute::Target& target,
                         const std::vector<bool>& on_device, std::size_t cap) {
  const StreamInfo& in = plan.graph.in;
  const auto device_cap =
      static_cast<std::size_t>(kShareOfDevice * static_cast<double>(target.memory_bytes));
  const std::int64_t row = in.channel_count() * static_cast<std::int64_t>(size_of(in.type));
  Placement place;
  for (std::int64_t wanted = kChunkBytes; wanted >= kLeastChunkBytes; wanted /= 2) {
    place = Placement();
    place.target = target;
    place.on_device = on_device;
    place.chunk_frames = std::min(
        batch(data, choose_chunk(data, plan, wanted, row), row, std::min(wanted, kBatchBytes)),
        longest_segment(in));
    place.push_frames = place.chunk_frames;
    place.tile_frames = choose_tile(in, place.chunk_frames);
    place.stage_bytes = choose_stage(cap);
    place.budget = MemoryBudget(cap);
    place.device_budget = MemoryBudget(device_cap);
    const GraphSizes sizes = graph_sizes(plan.graph, place.chunk_frames);
    claim_device(plan, place, sizes);
    claim_host(data, plan, place, sizes);
    if (place.budget.claimed() <= cap / 4 * 3 && place.device_budget.claimed() <= device_cap) {
      break;
    }
  }
  return place;
}

}  // namespace weir::pipeline
