#include "weir/fit/profile.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "weir/core/error.h"
#include "weir/fit/held_fit_internal.h"

namespace weir::fit {
namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::size_t index_within_bounds(const Objective& objective, const std::string& name,
                                const std::vector<double>& values) {
  const std::size_t index = index_of(objective.parameters(), name);
  const Parameter& parameter = objective.parameters()[index];
  for (const double value : values) {
    if (!std::isfinite(value) || (parameter.lower && value < *parameter.lower) ||
        (parameter.upper && value > *parameter.upper)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("parameter {}: {} lies outside its bounds", name, value));
    }
  }
  return index;
}
}  // namespace

Profile scan(Objective& objective, const FitResult& result, const std::string& name,
             const std::vector<double>& values) {
  const std::size_t index = index_within_bounds(objective, name, values);
  Profile profile{.name = name, .values = values};
  std::vector<double> point = result.point();
  for (const double value : values) {
    point[index] = value;
    const Evaluation here = objective.value(point);
    profile.valid.push_back(here.feasible && std::isfinite(here.value));
    profile.fvals.push_back(profile.valid.back() ? here.value : kNan);
  }
  return profile;
}

Profile profile(Objective& objective, const FitResult& result, const std::string& name,
                const std::vector<double>& values, const FitOptions& options) {
  const std::size_t index = index_within_bounds(objective, name, values);
  if (objective.parameters()[index].fixed || !result.valid || result.covariance.empty()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("profile of {}: {}", name,
                            objective.parameters()[index].fixed
                                ? "it is fixed"
                                : "the fit is not valid or has no covariance"));
  }
  HeldFit fit(objective, result, {index}, options);
  Profile profile{.name = name, .values = values};
  for (const double value : values) {
    const HeldFit::Point here = fit.at(std::vector<double>{value});
    profile.valid.push_back(here.valid);
    profile.fvals.push_back(here.valid ? here.fval : kNan);
  }
  return profile;
}

}  // namespace weir::fit
