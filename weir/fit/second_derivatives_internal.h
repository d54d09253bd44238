#pragma once

#include <span>
#include <string>
#include <vector>

#include "weir/fit/counted_function_internal.h"

namespace weir::fit {

/// Second derivatives over the free parameters.
struct SecondDerivatives {
  SquareMatrix matrix = {};
  std::string problem = {};  ///< Why there are none; empty where there are.
};

/// The objective's own, else differences of exact gradients, a thousandth of an error to both
/// sides, to one where a bound or infeasible points are near. `scales` are guesses of the errors.
/// Cost: 2 gradients per parameter, twice that where the guess is bad.
SecondDerivatives second_derivatives(CountedFunction& function, std::span<const double> point,
                                     std::span<const double> scales);

}  // namespace weir::fit
