#pragma once

#include <cstdint>

#include "weir/core/block.h"
#include "weir/op/device_step.h"

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

std::unique_ptr<op::DeviceStep> median_on(const op::DevicePlace& place, std::int64_t width,
                                          std::int64_t channels);

}  // namespace weir::signal
