#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/hampel/hampel.h"

namespace weir::signal {

/// Lanes of one sorted window in memory; every vector width divides it.
inline constexpr std::int64_t kHampelLanes = 16;

struct HampelState final : op::State {
  HampelState(std::int64_t width, std::int64_t channel_count);
  std::vector<op::Counter> counters() const override { return {{"replaced samples", replaced}}; }
  /// Row `row` of the segment, in `in` or kept.
  const float* row(std::int64_t row, Block<const float> in) const noexcept;
  /// Sets the sorted windows from the rows kept.
  void rebuild_from_past();

  std::int64_t channels;
  std::int64_t fed = 0;
  std::int64_t emitted = 0;
  std::int64_t replaced = 0;
  Buffer past;                ///< The last `width` rows: row k stands at k mod width.
  std::vector<float> sorted;  ///< [lane blocks, width, kHampelLanes]; +inf where not yet filled.
  std::vector<float> nans;    ///< In the window of each padded channel.
};

/// One row that comes into the windows, and what goes out of them and the row in their middle.
struct HampelRow {
  const float* coming = nullptr;
  const float* going = nullptr;  ///< Null: what the windows were filled with.
  const float* here = nullptr;   ///< Null: nothing is put out yet.
  float* out = nullptr;
  bool decides = false;  ///< Whether the window is whole; else `here` passes.
};

/// Moves the windows on by some rows; returns how many samples were replaced. Samples further from
/// the median than `factor` times the MAD are.
std::int64_t hampel_rows(std::span<const HampelRow> rows, std::int64_t width, float factor,
                         HampelState& state);

/// Windows that fit the memory of a group.
inline constexpr std::int64_t kWidestHampelOnDevice = 255;
std::unique_ptr<op::DeviceStep> hampel_on(const op::DevicePlace& place, std::int64_t width,
                                          float factor, std::int64_t channels);

}  // namespace weir::signal
