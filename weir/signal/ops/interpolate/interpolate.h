#pragma once

#include <optional>
#include <vector>

#include "weir/signal/channel_matrix.h"

namespace weir::signal {

/// Makes bad channels anew from the good ones around them.
struct Interpolate {
  std::vector<Value> channels;     ///< The bad ones.
  std::optional<double> sigma_um;  ///< Default: the most common distance of contacts along y.
  double p = 1.3;
};

/// Weights below this part of the nearest possible channel's, or of their sum, are left out.
inline constexpr double kLeastInterpolationWeight = 0.005;

/// The most common distance of successive contacts along y, the smallest of several.
/// Errors: `invalid_spec` naming sigma_um when all stand at one y.
double common_pitch_um(const std::vector<std::int64_t>& channels, const StreamInfo& in);

/// Weights of the good channels in one made anew: exp(-(distance / sigma)^p) where that is
/// 0.005 at least, over their sum, and again 0 below 0.005. Empty when no good one is near enough.
/// Errors: `invalid_spec` naming a channel without a position.
/// Source: International Brain Laboratory, Spike sorting pipeline (2022), interpolation of bad
///         channels; SpikeInterface's interpolate_bad_channels gives the same weights.
struct InterpolationShape {
  double sigma_um = 1;
  double p = 1.3;
};
std::vector<MatrixTerm> interpolation_row(std::int64_t bad, const std::vector<std::int64_t>& good,
                                          const InterpolationShape& shape, const StreamInfo& in);

const op::Operator& interpolate_operator();

}  // namespace weir::signal
