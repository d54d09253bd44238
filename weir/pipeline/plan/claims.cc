#include "weir/pipeline/plan/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/buffer.h"
#include "weir/op/run_step.h"

namespace weir::pipeline {

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
    const DeskShape desk =
        desk_shape(graph, i, spread_out(groups, node.step->ports().front().spread), sizes);
    const std::size_t blocks =
        held + static_cast<std::size_t>(threads) *
                   (Buffer::bytes_for(out.type, desk.room_frames, desk.room_channels) +
                    Buffer::bytes_for(out.type, desk.gather_frames, out.channel_count()));
    budget.claim(fmt::format("node {}: state", node.name), state);
    budget.claim(fmt::format("node {}: blocks", node.name), blocks);
    if (node.events && node.events->known) {
      budget.claim(fmt::format("node {}: events of {}", node.name, node.events->known->node),
                   node.events->known->bytes());
    }
  }
}

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

void claim_outputs(const InputPlan& plan, Placement& place) {
  for (const auto& output : plan.outputs) {
    if (output.source != nullptr) {
      place.budget.claim(fmt::format("node {}: table", output.node), output.source->held_bytes());
    }
    if (output.events) {
      place.budget.claim(fmt::format("node {}: events on their way", output.node),
                         std::size_t{1} << 20);
      if (output.format->event_writer_bytes != nullptr) {
        place.budget.claim(fmt::format("node {}: {} writer", output.node, output.format->name),
                           output.format->event_writer_bytes(output.table));
      }
      continue;
    }
    if (output.snippets) {
      const auto& stream = output.snippet.stream;
      place.budget.claim(
          fmt::format("node {}: snippets on their way", output.node),
          2 * Buffer::bytes_for(stream.type, output.snippet.frames, stream.channel_count()) +
              formats::snippet_writer_bytes());
      continue;
    }
    const auto& stream = output.recording.stream;
    const std::int64_t longest =
        rows_of_push(plan.graph, output.from, place.push_frames, place.tile_frames);
    const auto row = static_cast<std::size_t>(stream.channel_count()) * size_of(stream.type);
    const auto stage =
        static_cast<std::size_t>(place.stage_bytes) + static_cast<std::size_t>(longest) * row;
    place.budget.claim(fmt::format("node {}: rows on their way", output.node), 3 * stage);
    if (output.format->writer_bytes != nullptr) {
      place.budget.claim(fmt::format("node {}: {} writer", output.node, output.format->name),
                         output.format->writer_bytes(output.recording));
    }
  }
}

std::int64_t fit_tasks_at_once(const op::Step& step, std::int64_t threads, std::size_t cap) {
  const std::size_t bytes = std::max<std::size_t>(step.fitter_task_bytes(), 1);
  return std::max<std::int64_t>(
      1,
      std::min(threads, static_cast<std::int64_t>(std::min(cap / 8 / bytes, std::size_t{4096}))));
}

}  // namespace weir::pipeline
