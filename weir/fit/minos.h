#pragma once

#include <string>
#include <vector>

#include "weir/fit/minimise.h"

namespace weir::fit {

/// Asymmetric errors of the named parameters (all free ones when empty) at `sigmas` standard
/// errors, written into `result`: where the function, minimised over all other parameters, has
/// risen by error definition × sigmas², found to a millionth of an error from exact gradients (the
/// slope of that minimum is the function's own). `options.minimiser` helps where Newton's steps do
/// not arrive.
/// Errors: `invalid_spec` for unknown or fixed names, weighted data, a result that is not valid.
/// Cost: some 4 conditional minimisations per side.
/// Source: F. James, Minuit reference manual, CERN long writeup D506, 7.3 (the definition).
void minos(Objective& objective, FitResult& result, const std::vector<std::string>& names = {},
           double sigmas = 1, const FitOptions& options = {});

}  // namespace weir::fit
