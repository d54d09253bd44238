#pragma once

#include <vector>

#include "weir/fit/counted_function_internal.h"
#include "weir/fit/minimise.h"

namespace weir::fit {

/// Where one start led.
struct Attempt {
  std::vector<double> point = {};  ///< Free parameters.
  double fval = 0;
  double edm = 0;
  SquareMatrix covariance = {};  ///< Over free parameters.
  CovarianceStatus status = CovarianceStatus::absent;
  bool has_reached_call_limit = false;
  bool is_above_max_edm = false;
  bool hesse_failed = false;
  std::string reason = {};  ///< Why it is no minimum; empty when it is.
};

/// Minuit's goal for the edm.
double edm_goal(const FitOptions& options, double rise);

/// Calls of the function that are allowed.
std::int64_t call_limit(const FitOptions& options, std::size_t free_parameters);

/// Minimise from the parameters' values: out of an infeasible start first, then by the minimiser
/// and Newton steps in turn until the edm is met.
Attempt attempt(CountedFunction& function, std::vector<FreeParameter> parameters,
                const FitOptions& options);

/// From a point that is nearly the minimum, by Newton steps alone; `covariance` guesses the errors.
Attempt refined(CountedFunction& function, std::vector<double> point, SquareMatrix covariance,
                const FitOptions& options);

}  // namespace weir::fit
