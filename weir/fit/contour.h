#pragma once

#include <string>
#include <vector>

#include "weir/fit/minimise.h"

namespace weir::fit {

/// Points of a closed curve in two parameters.
struct Contour {
  std::string first = {};
  std::string second = {};
  std::vector<double> first_values = {};
  std::vector<double> second_values = {};
  std::vector<bool> valid = {};  ///< Whether the function was found to rise as far there.
  bool is_valid = false;         ///< Whether all were.
};

/// Where the function, minimised over all other parameters, has risen by error definition ×
/// sigmas², on `points` rays from the minimum that divide the covariance's ellipse evenly. The box
/// around it is the MINOS errors; 68.3 % for both parameters jointly is sigmas = 1.5152. Where a
/// bound comes first the curve ends at it.
/// Errors: as `minos`; `invalid_spec` for fewer than 4 points or twice the same name.
Contour contour(Objective& objective, const FitResult& result, const std::string& first,
                const std::string& second, int points = 40, double sigmas = 1,
                const FitOptions& options = {});

}  // namespace weir::fit
