#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/fit/fit_parameter.h"
#include "weir/fit/square_matrix.h"

namespace weir::fit {

/// What an objective says of one point.
struct Evaluation {
  /// The function; where the point is infeasible, a penalty: not negative, 0 at the edge of the
  /// feasible region and growing with the depth, so that it shows the way out. Its scale is free.
  double value = 0;
  /// Whether the function exists there. A value that is no finite number counts as infeasible too.
  bool feasible = true;
  /// Why it does not: term, row, value.
  std::string reason = {};
};

/// A function of named parameters to be made small: all that a minimiser sees of a model.
/// Points hold a value for every parameter, the fixed among them, in the order of `parameters()`.
/// An infeasible point is a value; an `Error` thrown from here (a broken file, a cancelled run)
/// ends the fit.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual const std::vector<Parameter>& parameters() const noexcept = 0;

  virtual Evaluation value(std::span<const double> point) = 0;

  /// Value and gradient in one pass. Shape: gradient [parameters], every one written (those of
  /// fixed parameters are not read); that of the penalty where the point is infeasible.
  virtual Evaluation value_and_gradient(std::span<const double> point,
                                        std::span<double> gradient) = 0;

  /// Exact second derivatives over all parameters; absent where there are none to be had.
  virtual std::optional<SquareMatrix> hessian(std::span<const double> /*point*/) { return {}; }

  /// Rise of the function at one standard error: 0.5 for a negative logarithm of a likelihood and
  /// for half a chi-squared. No factor 2 stands anywhere else.
  virtual double error_definition() const noexcept { return 0.5; }

  /// Number of data that the function sums over: bins or events; absent where that says nothing.
  virtual std::optional<std::int64_t> data_count() const noexcept { return {}; }

  /// False where a penalty (ridge, lasso) is in the function: its width is then no standard error.
  virtual bool errors_are_statistical() const noexcept { return true; }

  /// True where events carry weights other than 1: errors then need `weighted_covariance`, and
  /// MINOS and contours are refused.
  virtual bool is_weighted() const noexcept { return false; }
};

}  // namespace weir::fit
