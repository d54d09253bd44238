#pragma once

#include <string>
#include <vector>

#include "weir/fit/minimise.h"

namespace weir::fit {

/// The function along one parameter.
struct Profile {
  std::string name = {};
  std::vector<double> values = {};  ///< Of the parameter.
  std::vector<double> fvals = {};   ///< Of the function; NaN where infeasible.
  std::vector<bool> valid = {};     ///< Whether it is known: feasible, and minimised.
};

/// The others held at the result. Errors: `invalid_spec` for an unknown name or values outside its
/// bounds.
Profile scan(Objective& objective, const FitResult& result, const std::string& name,
             const std::vector<double>& values);

/// The others minimised over anew at each value. Errors: as `scan`, and a fixed parameter, or a
/// result that is not valid.
Profile profile(Objective& objective, const FitResult& result, const std::string& name,
                const std::vector<double>& values, const FitOptions& options = {});

}  // namespace weir::fit
