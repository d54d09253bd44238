#pragma once

#include <string>
#include <utility>

#include "weir/core/value.h"
#include "weir/fit/fit_result.h"

namespace weir::fit {

/// The result as a document `{"weir_fit_result": 1, …}`: `fmin`, `params` and `covariance`, with
/// fields called as iminuit calls them. Numbers that are not finite are null.
Value to_value(const FitResult& result);

/// The result for people: how the fit went, values and errors to two digits of the error, what
/// stands out, correlations of at most `kMostCorrelations` free parameters.
std::string to_text(const FitResult& result);
inline constexpr std::size_t kMostCorrelations = 12;

/// `value` and `error` with two significant digits of the error, at one power of ten where they are
/// very large or small: {"0.01234", "0.00056"}, {"1.230e-09", "0.045e-09"}. Where the error is 0 or
/// no number: the value to six digits, and "0" or what the error is.
std::pair<std::string, std::string> rounded(double value, double error);

}  // namespace weir::fit
