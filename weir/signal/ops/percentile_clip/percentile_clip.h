#pragma once

#include <optional>
#include <span>

#include "weir/op/operator.h"

namespace weir::signal {

/// Holds each channel within percentiles of its own values.
struct PercentileClip {
  std::optional<double> lower;  ///< Percent.
  std::optional<double> upper;
};

/// numpy.percentile with its default, linear interpolation. `values`: at least one, none NaN;
/// sorted in part. Source: Hyndman & Fan 1996, definition 7.
double percentile_of(std::span<float> values, double percent);

const op::Operator& percentile_clip_operator();

}  // namespace weir::signal
