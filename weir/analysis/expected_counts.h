#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weir/analysis/run_analysis.h"

namespace weir::analysis {

/// What the fitted model expects: for pictures and for pulls.
struct ExpectedCounts {
  std::vector<double> total;  ///< A value each bin.
  std::vector<std::pair<std::string, std::vector<double>>> components;
};

/// The expectation of each bin at a fitted point: the model's integral by four points of Gauss and
/// Legendre, scaled to the events where the density is no rate. Errors: `unsupported` where the
/// density reads other columns than its variable.
ExpectedCounts expected_counts(const PreparedFit& fit, const Outcome& outcome,
                               const std::vector<double>& edges);

}  // namespace weir::analysis
