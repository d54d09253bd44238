#pragma once

#include "weir/signal/running_moments.h"

namespace weir::signal {

/// From the sums of one frame to those of the next, and its output. What a window lacks at an end
/// of the segment is null.
struct RunningRow {
  const float* coming = nullptr;
  const float* going = nullptr;
  const float* here = nullptr;
  const float* centre = nullptr;
  double of_count = 1;  ///< One over the frames in the window.
  bool divide = false;
};

/// A window without more spread than this share of its mean square has none: float32 samples do not
/// tell so little from rounding.
inline constexpr double kLeastSpread = 1e-13;

/// Shape: sums are `running_sums(channels)`.
void add_running_row(const float* row, const float* centre, std::int64_t channels, double* sums);
void add_running_sums(const double* from, std::int64_t channels, double* sums);
void emit_running_row(const RunningRow& row, std::int64_t channels, double* sums, float* out);

}  // namespace weir::signal
