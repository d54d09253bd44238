#pragma once

#include <optional>

#include "weir/signal/channel_matrix.h"

namespace weir::signal {

enum class LaplacianWeights {
  inverse,  ///< 1 / distance.
  equal
};

/// Every channel less the average of those around it: its local current source.
struct Laplacian {
  std::optional<std::int64_t> nearest;  ///< So many nearest; default 4.
  std::optional<double> radius_um;      ///< Instead: all within.
  LaplacianWeights weights = LaplacianWeights::inverse;
};

inline constexpr std::int64_t kDefaultNearest = 4;

/// Errors: `invalid_spec` naming the field: both given, positions that are missing or the same, a
///         channel without neighbours.
/// Source: y = x - sum(w_j x_j) / sum(w_j); Hjorth, Electroencephalography and Clinical
///         Neurophysiology 39 (1975) 526.
ChannelMatrix plan_laplacian(const Laplacian& params, const StreamInfo& in);

const op::Operator& laplacian_operator();

}  // namespace weir::signal
