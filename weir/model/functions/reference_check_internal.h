#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace weir::model {

/// A point of a record: the values of its parameters by name, and x.
struct ReferencePoint {
  double x = 0;
  std::map<std::string, double> parameters;
};

/// How a function is compared with a record of golden/.
struct ReferenceCheck {
  std::string function;
  std::string record;
  /// The record's names in the order of the function's arguments behind x.
  std::vector<std::string> arguments;
  /// The tolerances of shared/reference/README.md unless a function says more.
  double log_tolerance = 4e-15;
  double slope_tolerance = 1e-13;
  /// The largest term of the sum that makes a derivative, where that cancels; 0 adds nothing.
  std::function<double(const ReferencePoint& point, const std::string& parameter)> largest_term =
      [](const ReferencePoint&, const std::string&) { return 0.0; };
  /// By what rounding of the terms is larger than of the value, where they cancel.
  std::function<double(const ReferencePoint& point)> condition = [](const ReferencePoint&) {
    return 1.0;
  };
  std::string folder = "weir/model/functions/golden";
};

/// Expects values, logarithms, derivatives of the logarithm (by the compiled gradient) and
/// integrals of the record, 0 and -inf without NaN outside the support.
void expect_reference(const ReferenceCheck& check);

/// Expects that the closed form of the integral (1 where the range is the support) agrees with
/// quadrature, and that its derivatives by its ends are the values there.
void expect_integral(const std::string& function, const std::vector<double>& arguments,
                     double lower, double upper, double tolerance = 1e-12);

/// Expects that quadrature over the range gives `expected`.
void expect_quadrature(const std::string& function, const std::vector<double>& arguments,
                       double lower, double upper, double expected = 1, double tolerance = 1e-8);

/// Expects second derivatives of the summed logarithm at the points x that agree with differences
/// of first ones.
void expect_hessian(const std::string& function, const std::vector<double>& arguments,
                    const std::vector<double>& x, double tolerance = 1e-6);

/// The value at x, and the derivatives of the value by the arguments behind x.
double value_at(const std::string& function, const std::vector<double>& arguments, double x);
std::vector<double> slopes_at(const std::string& function, const std::vector<double>& arguments,
                              double x);

}  // namespace weir::model
