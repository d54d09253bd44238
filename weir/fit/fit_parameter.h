#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fit {

/// One quantity of a fit: where it starts and where it may go.
struct Parameter {
  std::string name = {};
  /// Where the fit starts, or what it is held at.
  double value = 0;
  /// Size of the first step; positive. Absent: a tenth of the value, or of the bounds' distance.
  std::optional<double> step = {};
  /// Bounds, both included.
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  /// Held at `value`: nothing of it changes and its error is 0.
  bool fixed = false;
  /// The bounds are one period: the fit moves freely and the result is brought back between them.
  bool periodic = false;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Errors: `invalid_spec` naming the parameter: an empty or repeated name, a value, bound or step
/// that is not a finite number, a lower bound not below the upper, a period without both bounds, a
/// step that is not positive, a fixed value outside its bounds. A free value outside its bounds is
/// no error: the fit starts at the bound and says so.
void check(std::span<const Parameter> parameters);

/// Index of the parameter called `name`. Errors: `invalid_spec` with the nearest name.
std::size_t index_of(std::span<const Parameter> parameters, std::string_view name);

/// Indices of those that are not fixed, in order.
std::vector<std::size_t> free_indices(std::span<const Parameter> parameters);

/// The first step: `step`, else a tenth of the value, else a tenth of the bounds' distance, else
/// 0.1; never more than half of the bounds' distance.
double first_step(const Parameter& parameter);

}  // namespace weir::fit
