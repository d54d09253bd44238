#include "weir/fit/minos.h"

#include <array>

#include "weir/fit/held_fit_internal.h"

namespace weir::fit {
namespace {
MinosError error_of(Objective& objective, const FitResult& result, std::size_t index, double sigmas,
                    const FitOptions& options) {
  const FittedParameter& fitted = result.parameters[index];
  const std::array<std::size_t, 1> held{index};
  HeldFit fit(objective, result, {index}, options);
  const std::array<double, 1> downwards{-fitted.error};
  const Crossing lower = find_crossing(fit, result, held, downwards, sigmas);
  const std::array<double, 1> upwards{fitted.error};
  const Crossing upper = find_crossing(fit, result, held, upwards, sigmas);
  return {.name = fitted.parameter.name,
          .lower = -lower.distance * fitted.error,
          .upper = upper.distance * fitted.error,
          .is_valid = lower.valid && upper.valid,
          .lower_valid = lower.valid,
          .upper_valid = upper.valid,
          .at_lower_limit = lower.at_limit,
          .at_upper_limit = upper.at_limit,
          .at_lower_max_fcn = lower.max_calls,
          .at_upper_max_fcn = upper.max_calls,
          .lower_new_min = lower.new_minimum,
          .upper_new_min = upper.new_minimum,
          .nfcn = fit.calls()};
}
}  // namespace

void minos(Objective& objective, FitResult& result, const std::vector<std::string>& names,
           double sigmas, const FitOptions& options) {
  std::vector<std::size_t> indices = indices_for_rise(objective, result, names);
  check_sigmas(sigmas);
  if (names.empty()) {
    indices = free_indices(objective.parameters());
  }
  for (const std::size_t index : indices) {
    FittedParameter& fitted = result.parameters[index];
    fitted.merror = error_of(objective, result, index, sigmas, options);
    result.nfcn += fitted.merror->nfcn;
  }
}

}  // namespace weir::fit
