#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/fit/fit_parameter.h"
#include "weir/fit/square_matrix.h"

namespace weir::fit {

/// How good a covariance is.
enum class CovarianceStatus {
  absent,                 ///< There is none.
  not_positive_definite,  ///< The second derivatives at the minimum describe no valley.
  forced,                 ///< It was made positive definite by adding to its diagonal.
  approximate,            ///< The minimiser's own estimate, from its path.
  accurate                ///< From the second derivatives at the minimum.
};
std::string_view name(CovarianceStatus status) noexcept;

/// Asymmetric error of one parameter (MINOS): where the function, minimised over all others, has
/// risen by the error definition.
struct MinosError {
  std::string name = {};
  double lower = 0;  ///< Negative.
  double upper = 0;
  bool is_valid = false;
  bool lower_valid = false;
  bool upper_valid = false;
  bool at_lower_limit = false;  ///< A bound came before the rise.
  bool at_upper_limit = false;
  bool at_lower_max_fcn = false;  ///< The calls ran out.
  bool at_upper_max_fcn = false;
  bool lower_new_min = false;  ///< A lower minimum was found on the way: fit again.
  bool upper_new_min = false;
  std::int64_t nfcn = 0;
};

/// One parameter after a fit.
struct FittedParameter {
  Parameter parameter = {};  ///< As given; `parameter.value` is where the fit started.
  double value = 0;
  double error = 0;       ///< Standard error; 0 where fixed.
  bool at_limit = false;  ///< As `is_at_limit` says: the error means little.
  std::optional<MinosError> merror = {};
};

/// Whether the value is closer to a bound than half its error.
bool is_at_limit(const FittedParameter& fitted);

/// Outcome of a fit. A fit that failed is a value: `valid` is false and `reason` says why.
struct FitResult {
  std::vector<FittedParameter> parameters = {};
  double fval = 0;      ///< The function at the minimum.
  double edm = 0;       ///< Estimated vertical distance to the minimum.
  double edm_goal = 0;  ///< What `edm` should come below; ten times that is tolerated.
  std::int64_t nfcn = 0;
  std::int64_t ngrad = 0;
  std::int64_t nhessian = 0;
  double errordef = 0.5;
  std::optional<std::int64_t> ndata = {};
  bool valid = false;
  std::string reason = {};                 ///< Why it is not valid; empty when it is.
  std::vector<std::string> warnings = {};  ///< What else a reader should know.
  bool has_reached_call_limit = false;
  bool is_above_max_edm = false;
  bool hesse_failed = false;
  CovarianceStatus covariance_status = CovarianceStatus::absent;
  /// Over all parameters, fixed rows and columns 0; empty where there is none.
  SquareMatrix covariance = {};
  /// "naive", "sumw2" or "asymptotic": how weights entered the covariance.
  std::string covariance_kind = "naive";
  bool weighted = false;
  bool errors_are_statistical = true;
  std::string algorithm = {};

  /// The parameter called `name`. Errors: `invalid_spec` with the nearest name.
  const FittedParameter& at(std::string_view name) const;
  double value(std::string_view name) const { return at(name).value; }
  double error(std::string_view name) const { return at(name).error; }
  /// Element of the covariance, of the correlation. Errors: `invalid_spec` for an unknown name,
  /// `not_found` where there is no covariance.
  double covariance_of(std::string_view first, std::string_view second) const;
  double correlation_of(std::string_view first, std::string_view second) const;
  /// Values of all parameters, in order.
  std::vector<double> point() const;
};

/// `covariance` divided by its standard errors; 0 where one of them is 0, 1 on the diagonal.
SquareMatrix correlation(const SquareMatrix& covariance);

}  // namespace weir::fit
