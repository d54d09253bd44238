#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "weir/core/buffer.h"
#include "weir/pipeline/plan/claims.h"
#include "weir/pipeline/plan/size_input.h"

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

/// Everything claimed when a chunk may be `share` bytes of float32 rows.
Placement claim_all(const PlanData& data, const InputPlan& plan, std::size_t cap,
                    std::size_t share) {
  const StreamInfo& in = plan.graph.in;
  Placement place;
  place.target = compute::find_target("cpu");
  // About 4 MiB of input for every thread, so that each carries several tiles between two meetings.
  const auto wanted = std::min<std::int64_t>(std::min<std::int64_t>(data.threads, 4) << 24,
                                             static_cast<std::int64_t>(share));
  place.chunk_frames = choose_chunk(data, plan, wanted, row_bytes(in));
  place.tile_frames = choose_tile(in, place.chunk_frames);
  place.push_frames = choose_push(in, place, data.threads, share);
  place.stage_bytes = choose_stage(cap);
  place.budget = MemoryBudget(cap);
  place.budget.claim("read ahead", kReadAhead * Buffer::bytes_for(in.type, place.chunk_frames,
                                                                  in.channel_count()));
  place.budget.claim("reader", plan.input.source->cache_bytes(place.chunk_frames));
  claim_steps(plan.graph, place.tile_frames, data.threads, place.budget);
  claim_fits(plan.graph, data.threads, place.budget);
  claim_outputs(plan, place);
  return place;
}
}  // namespace

std::int64_t choose_chunk(const PlanData& data, const InputPlan& plan, std::int64_t wanted,
                          std::int64_t row_bytes) {
  const StreamInfo& in = plan.graph.in;
  if (data.spec.execution.chunk_s > 0) {
    return std::max<std::int64_t>(1, in.rate.nearest_frames(data.spec.execution.chunk_s));
  }
  const std::int64_t frames = std::max<std::int64_t>(1, wanted / row_bytes);
  const std::int64_t preferred = plan.input.source->preferred_frames();
  return preferred > 1 && preferred <= 8 * frames ? (frames + preferred - 1) / preferred * preferred
                                                  : frames;
}

std::int64_t choose_tile(const StreamInfo& in, std::int64_t chunk_frames) {
  return std::min(chunk_frames, std::clamp<std::int64_t>(tile_bytes() / row_bytes(in), 32, 4096));
}

std::int64_t choose_stage(std::size_t cap) {
  return std::min<std::int64_t>(4 << 20, static_cast<std::int64_t>(cap / 64));
}

/// A long chunk asked for is no reason to hold as much of every output.
std::int64_t choose_push(const StreamInfo& in, const Placement& place, std::int64_t threads,
                         std::size_t share) {
  const std::int64_t affordable = static_cast<std::int64_t>(share) / row_bytes(in);
  return std::min(
      place.chunk_frames,
      std::max(place.tile_frames, std::min(affordable, kTilesAPush * threads * place.tile_frames)));
}

std::int64_t host_push_frames(const Placement& place, std::int64_t threads) {
  return std::min(place.push_frames, kTilesAPush * threads * place.tile_frames);
}

Placement size_on_host(const PlanData& data, const InputPlan& plan, std::size_t cap) {
  // Long chunks keep all threads busy, short ones leave room: the longest with a quarter to spare.
  Placement place;
  for (std::size_t part = 12; part <= 192; part *= 2) {
    place = claim_all(data, plan, cap, cap / part);
    if (place.budget.claimed() <= cap / 4 * 3) {
      break;
    }
  }
  return place;
}

}  // namespace weir::pipeline
