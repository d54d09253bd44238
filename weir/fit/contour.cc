#include "weir/fit/contour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "weir/core/error.h"
#include "weir/fit/held_fit_internal.h"

namespace weir::fit {

Contour contour(Objective& objective, const FitResult& result, const std::string& first,
                const std::string& second, int points, double sigmas, const FitOptions& options) {
  const std::vector<std::string> names{first, second};
  const std::vector<std::size_t> held = indices_for_rise(objective, result, names);
  check_sigmas(sigmas);
  if (points < 4) {
    throw Error(ErrorCode::invalid_spec, fmt::format("points: {} are too few, at least 4", points));
  }
  if (held[0] == held[1]) {
    throw Error(ErrorCode::invalid_spec, "contour: takes two parameters, not " + first + " twice");
  }
  // The ellipse is L·(cos, sin) with L Lᵀ the covariance of the two.
  const double width = result.parameters[held[0]].error;
  const double tilt = width > 0 ? result.covariance(held[0], held[1]) / width : 0;
  const double height = std::sqrt(std::max(0.0, result.covariance(held[1], held[1]) - tilt * tilt));
  HeldFit fit(objective, result, held, options);
  Contour curve{.first = first, .second = second, .is_valid = true};
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points;
    const std::array<double, 2> direction{width * std::cos(angle),
                                          tilt * std::cos(angle) + height * std::sin(angle)};
    const Crossing crossing = find_crossing(fit, result, held, direction, sigmas);
    curve.first_values.push_back(result.parameters[held[0]].value +
                                 crossing.distance * direction[0]);
    curve.second_values.push_back(result.parameters[held[1]].value +
                                  crossing.distance * direction[1]);
    curve.valid.push_back(crossing.valid);
    curve.is_valid = curve.is_valid && crossing.valid;
  }
  return curve;
}

}  // namespace weir::fit
