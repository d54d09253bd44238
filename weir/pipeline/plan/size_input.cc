#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "weir/core/buffer.h"
#include "weir/op/run_step.h"
#include "weir/pipeline/plan/build_graph.h"

namespace weir::pipeline {
namespace {
/// Bytes of one buffer of a tile that leave room for its neighbours in the second-level cache
/// (tried.md: 64 to 256 rows of 384 float32 channels were best with 2 MiB).
std::int64_t tile_bytes() {
  const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::max<std::int64_t>(cache > 0 ? cache / 5 : 0, 128 << 10);
}

/// Tiles for each thread between two meetings: the wait for the last is a small part of them.
constexpr std::int64_t kTilesAPush = 48;

std::int64_t row_bytes(const StreamInfo& stream) {
  return padded_channels(stream.channel_count()) * static_cast<std::int64_t>(sizeof(float));
}

/// Frames read at once: what was asked for, else about 4 MiB of input for every thread, so that
/// each carries several tiles between two meetings, less under a small cap.
std::int64_t choose_chunk(const PlanData& data, const StreamInfo& in, std::int64_t preferred,
                          std::size_t share) {
  const Execution& execution = data.spec.execution;
  if (execution.chunk_s > 0) {
    return std::max<std::int64_t>(1, in.rate.nearest_frames(execution.chunk_s));
  }
  const auto wanted = std::min<std::int64_t>(std::min<std::int64_t>(data.threads, 4) << 24,
                                             static_cast<std::int64_t>(share));
  const std::int64_t frames = std::max<std::int64_t>(1, wanted / row_bytes(in));
  return preferred > 1 && preferred <= 8 * frames ? (frames + preferred - 1) / preferred * preferred
                                                  : frames;
}

/// Frames shared out at once; a long chunk asked for is no reason to hold as much of every output.
std::int64_t choose_push(const InputPlan& plan, std::int64_t threads, std::size_t share) {
  const std::int64_t affordable = static_cast<std::int64_t>(share) / row_bytes(plan.graph.in);
  return std::min(
      plan.chunk_frames,
      std::max(plan.tile_frames, std::min(affordable, kTilesAPush * threads * plan.tile_frames)));
}

void claim_steps(const Graph& graph, std::int64_t tile, std::int64_t threads,
                 MemoryBudget& budget) {
  const GraphSizes sizes = graph_sizes(graph, tile);
  for (std::int64_t i = 0; i < graph.size(); ++i) {
    const GraphNode& node = graph.node(i);
    const StreamInfo& in = graph.stream(node.parent);
    const StreamInfo& out = graph.stream(i);
    const auto groups = channel_groups(
        in.channel_count(), node.step->parallel() == op::Parallel::channels ? threads : 1);
    std::size_t state = 0;
    std::size_t held = 0;
    if (node.step->parallel() == op::Parallel::frames) {
      state = node.step->state_bytes(in.channel_count()) * static_cast<std::size_t>(threads);
    } else {
      for (const auto& group : groups) {
        state += node.step->state_bytes(group.count);
        held += op::StepRun::held_bytes(*node.step, in.type, group.count);
      }
    }
    const DeskShape desk = desk_shape(graph, i, groups, sizes);
    const std::size_t blocks =
        held + static_cast<std::size_t>(threads) *
                   (Buffer::bytes_for(out.type, desk.room_frames, desk.room_channels) +
                    Buffer::bytes_for(out.type, desk.gather_frames, out.channel_count()));
    budget.claim(fmt::format("node {}: state", node.name), state);
    budget.claim(fmt::format("node {}: blocks", node.name), blocks);
  }
}

/// Fits follow one another, so the largest is all that is ever held.
void claim_fits(const Graph& graph, std::int64_t threads, MemoryBudget& budget) {
  Claim largest;
  for (const auto& node : graph.nodes) {
    const auto tasks =
        static_cast<std::size_t>(fit_tasks_at_once(*node.step, threads, budget.cap()));
    const std::size_t bytes = node.step->fitter_bytes() + tasks * node.step->fitter_task_bytes();
    if (bytes > largest.bytes) {
      largest = {fmt::format("node {}: fit", node.name), bytes};
    }
  }
  if (largest.bytes > 0) {
    budget.claim(largest.owner, largest.bytes);
  }
}

void claim_outputs(InputPlan& plan) {
  for (const auto& output : plan.outputs) {
    if (output.events) {
      plan.budget.claim(fmt::format("node {}: events on their way", output.node),
                        std::size_t{1} << 20);
      continue;
    }
    const auto& stream = output.recording.stream;
    const std::int64_t longest =
        rows_of_push(plan.graph, output.from, plan.push_frames, plan.tile_frames);
    const auto row = static_cast<std::size_t>(stream.channel_count()) * size_of(stream.type);
    const auto stage =
        static_cast<std::size_t>(plan.stage_bytes) + static_cast<std::size_t>(longest) * row;
    plan.budget.claim(fmt::format("node {}: rows on their way", output.node), 3 * stage);
    if (output.format->writer_bytes != nullptr) {
      plan.budget.claim(fmt::format("node {}: {} writer", output.node, output.format->name),
                        output.format->writer_bytes(output.recording));
    }
  }
}

/// Everything claimed when a chunk may be `share` bytes of float32 rows.
void claim_all(const PlanData& data, InputPlan& plan, std::size_t cap, std::size_t share) {
  const StreamInfo& in = plan.graph.in;
  constexpr std::size_t kReadAhead = 3;
  plan.chunk_frames = choose_chunk(data, in, plan.input.source->preferred_frames(), share);
  const std::int64_t rows = std::clamp<std::int64_t>(tile_bytes() / row_bytes(in), 32, 4096);
  plan.tile_frames = std::min(plan.chunk_frames, rows);
  plan.push_frames = choose_push(plan, data.threads, share);
  plan.stage_bytes = std::min<std::int64_t>(4 << 20, static_cast<std::int64_t>(cap / 64));
  plan.budget = MemoryBudget(cap);
  plan.budget.claim("read ahead",
                    kReadAhead * Buffer::bytes_for(in.type, plan.chunk_frames, in.channel_count()));
  plan.budget.claim("reader", plan.input.source->cache_bytes(plan.chunk_frames));
  claim_steps(plan.graph, plan.tile_frames, data.threads, plan.budget);
  claim_fits(plan.graph, data.threads, plan.budget);
  claim_outputs(plan);
}
}  // namespace

std::int64_t fit_tasks_at_once(const op::Step& step, std::int64_t threads, std::size_t cap) {
  const std::size_t bytes = std::max<std::size_t>(step.fitter_task_bytes(), 1);
  return std::max<std::int64_t>(
      1,
      std::min(threads, static_cast<std::int64_t>(std::min(cap / 8 / bytes, std::size_t{4096}))));
}

void size_input(const PlanData& data, InputPlan& plan, std::size_t cap) {
  // Long chunks keep all threads busy, short ones leave room: the longest with a quarter to spare.
  for (std::size_t part = 12; part <= 192; part *= 2) {
    claim_all(data, plan, cap, cap / part);
    if (plan.budget.claimed() <= cap / 4 * 3) {
      break;
    }
  }
  for (const auto& node : plan.graph.nodes) {
    plan.temporary_bytes += node.step->temporary_bytes();
  }
}

}  // namespace weir::pipeline
