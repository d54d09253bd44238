#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/median/median.h"

namespace weir::signal {

/// Lanes of one sorted window in memory; every vector width divides it.
inline constexpr std::int64_t kMedianLanes = 16;

/// Rows by index from the first of `in`: before it the kept past, after it zeros.
struct MedianRows {
  Block<const float> in;
  Block<const float> past;  ///< A ring of `width` rows: row n of the segment stands at n mod width.
  const float* zeros = nullptr;
  std::int64_t fed = 0;  ///< Rows of the segment before `in`.

  /// Range: index >= -width.
  const float* row(std::int64_t index) const noexcept {
    if (index >= 0) {
      return index < in.frames() ? in.row(index) : zeros;
    }
    const std::int64_t width = past.frames();
    return past.row((fed + index + width) % width);
  }
};

/// Which of the rows that come in are the last of a window whose median is wanted.
struct MedianSpan {
  std::int64_t first = 0;  ///< Rows before it are only fed.
  std::int64_t end = 0;
};

/// Row k of `out` is the median of the `width` rows that end at row span.first + k. Windows that
/// hold a NaN give NaN. `last_nan` is the latest row with one, counted as `rows.row`; it is kept up
/// to date.
void median_by_network(const MedianRows& rows, MedianSpan span, Block<float> out,
                       std::int64_t& last_nan);

/// The same by a window that stays sorted.
/// Shape: `sorted` is [lane blocks, width, kMedianLanes]; `nan_count` has one entry per lane.
void median_by_window(const MedianRows& rows, MedianSpan span, Block<float> out, float* sorted,
                      std::int32_t* nan_count);

struct MedianState final : op::State {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;
  /// What the sorted windows of `channels` hold: nothing where networks do the work.
  static std::size_t sorted_floats(std::int64_t width, std::int64_t channels) noexcept;

  MedianState(std::int64_t width, std::int64_t channel_count);
  /// Sets what follows from `fed` and `past`: the sorted windows and where NaN stand.
  void rebuild_from_past();

  std::int64_t channels;
  std::int64_t fed = 0;        ///< Rows so far, the zeros after the end included.
  std::int64_t zeros_fed = 0;  ///< Those zeros.
  std::int64_t last_nan = kNever;
  Buffer past;
  Buffer zeros;
  std::vector<float> sorted;
  std::vector<std::int32_t> nan_count;
};

std::unique_ptr<op::DeviceStep> median_on(const op::DevicePlace& place, std::int64_t width,
                                          std::int64_t channels);

}  // namespace weir::signal
