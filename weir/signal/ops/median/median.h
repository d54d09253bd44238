#pragma once

#include <cstdint>

#include "weir/op/operator.h"

namespace weir::signal {

/// What stands before the first and after the last frame of a segment.
enum class MedianEdge {
  zero  ///< 0 physical units, as in `scipy.signal.medfilt`.
};

/// A number of frames with a middle one.
struct OddWidth {
  std::int64_t frames = 1;
};

/// Running median over time: y[t] is the median of the `width` samples around t.
struct Median {
  OddWidth width;
  MedianEdge edge = MedianEdge::zero;
};

/// Up to here a sorting network over the window is cheaper than keeping the window sorted.
inline constexpr std::int64_t kWidestMedianNetwork = 17;
inline constexpr std::int64_t kWidestMedian = 10'001;

const op::Operator& median_operator();

}  // namespace weir::signal
