#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/fit/fit_result.h"
#include "weir/fit/objective.h"

namespace weir::fit {

/// What looks for the minimum.
enum class Minimiser {
  minuit2,  ///< MIGRAD of Minuit2: variable metric, bounds by transformation.
  nlopt     ///< L-BFGS of NLopt: bounds by projection, many parameters.
};
std::string_view name(Minimiser minimiser) noexcept;
/// Errors: `invalid_spec` for a name that is none.
Minimiser minimiser_called(std::string_view name);
/// Whether this build has it.
bool is_available(Minimiser minimiser);

/// How to minimise.
struct FitOptions {
  Minimiser minimiser = Minimiser::minuit2;
  int strategy = 1;  ///< 0 fast, 1, 2 careful: as in Minuit.
  /// The goal of the edm is 0.002 × tolerance × error definition.
  double tolerance = 0.1;
  std::int64_t max_calls = 0;  ///< 0: 200 + 100 n + 5 n² for n free parameters.
  /// Second derivatives at the minimum, from exact gradients: accurate errors, and a minimum to a
  /// ten-thousandth of them. Without them Minuit2's own estimate stands, and L-BFGS has none.
  bool hesse = true;
  /// Further starts, drawn between the bounds or some steps around the value; the lowest minimum
  /// is taken.
  int restarts = 0;
  std::uint64_t seed = 1;  ///< Of those draws.
};

/// Find the minimum. Errors: `invalid_spec` for parameters or options that make no sense,
/// `unsupported` naming what to install where the minimiser is not there, and what the objective
/// throws. A fit that does not converge is a result that is not valid.
FitResult minimise(Objective& objective, const FitOptions& options = {});

}  // namespace weir::fit
