#pragma once

#include <span>
#include <string>
#include <vector>

#include "weir/fit/engine_internal.h"
#include "weir/fit/fit_result.h"

namespace weir::fit {

/// The function around a point as a parabola between bounds: where its minimum lies, how far the
/// function falls until there, and how wide it is.
struct Valley {
  std::vector<double> minimum = {};  ///< Of the parabola, within the bounds.
  bool beside_a_bound = false;       ///< A bound stops a parameter that is not yet at it.
  double edm = 0;                    ///< How far it lies below the point.
  SquareMatrix covariance = {};
  CovarianceStatus status = CovarianceStatus::absent;
  std::string problem = {};  ///< What is wrong with the second derivatives, naming parameters.
};

/// A parameter that a bound stops is held there: its error is how far it can go inwards until the
/// function has risen by `rise`, and it is uncorrelated with the others, whose errors are those
/// given the bound.
Valley valley_of(std::span<const FreeParameter> parameters, std::span<const double> point,
                 std::span<const double> gradient, const SquareMatrix& hessian, double rise);

}  // namespace weir::fit
