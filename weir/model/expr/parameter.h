#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::model {

/// A real quantity that a fit may vary. Two parameters of one name in one model must be equal in
/// every field.
struct Parameter {
  std::string name = {};
  /// Where a fit starts; the middle of the initial range where absent.
  std::optional<double> initial = {};
  /// The range from which starts are drawn: both ends or none.
  std::optional<double> initial_lower = {};
  std::optional<double> initial_upper = {};
  /// Bounds, in the parameter's unit; absent where there is none.
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  /// The bounds are one period.
  bool periodic = false;
  /// Held at `initial`: a constant to the compiler.
  bool fixed = false;
  /// Size of a first step; positive.
  std::optional<double> scale = {};
  std::string unit = {};
  std::string latex = {};
  std::string description = {};

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// The value at which a fit starts.
double start_of(const Parameter& parameter);

/// Throws invalid_spec naming the field: an empty or malformed name, a value outside the bounds, a
/// bound that is not a number, a period without bounds, a fixed parameter without a value, no value
/// though 0 lies outside the bounds.
void check(const Parameter& parameter);

/// A name of columns, parameters and functions: a letter or underscore, then letters, digits and
/// underscores.
bool is_identifier(std::string_view name);

}  // namespace weir::model
