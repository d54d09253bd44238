#include "weir/fit/minimise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/fit/attempt_internal.h"

namespace weir::fit {
namespace {
void check(const FitOptions& options, double rise) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_spec, what); };
  if (options.strategy < 0 || options.strategy > 2) {
    refuse(fmt::format("strategy: {} is none of 0, 1, 2", options.strategy));
  }
  if (!(options.tolerance > 0 && std::isfinite(options.tolerance))) {
    refuse(fmt::format("tolerance: {} is not positive", options.tolerance));
  }
  if (options.max_calls < 0) {
    refuse(fmt::format("max_calls: {} is negative", options.max_calls));
  }
  if (options.restarts < 0) {
    refuse(fmt::format("restarts: {} is negative", options.restarts));
  }
  if (!(rise > 0 && std::isfinite(rise))) {
    refuse(fmt::format("error definition: {} is not positive", rise));
  }
}

/// Numbers that depend on seed and place alone.
/// Source: Steele, Lea & Flood, OOPSLA 2014 (SplitMix64).
double uniform(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed * 0xD1342543DE82EF95U + (place + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Starts of turn 0 are the parameters' own; others lie between the bounds, or within ten steps.
std::vector<double> start_of(std::span<const Parameter> parameters, const FitOptions& options,
                             int turn) {
  std::vector<double> point;
  for (const Parameter& parameter : parameters) {
    double value = parameter.value;
    if (!parameter.fixed && !parameter.periodic) {
      value = std::clamp(value, parameter.lower.value_or(-HUGE_VAL),
                         parameter.upper.value_or(HUGE_VAL));
    }
    if (turn > 0 && !parameter.fixed) {
      const double reach = 10 * first_step(parameter);
      const double lower =
          parameter.lower.value_or(std::min(value, parameter.upper.value_or(value)) - reach);
      const double upper = parameter.upper.value_or(std::max(value, lower) + reach);
      const auto place = static_cast<std::uint64_t>(turn) * parameters.size() + point.size();
      value = lower + (upper - lower) * uniform(options.seed, place);
    }
    point.push_back(value);
  }
  return point;
}

/// Whether `a` is the better outcome: valid before not, then the lower.
bool better(const Attempt& a, const Attempt& b) {
  if (a.reason.empty() != b.reason.empty()) {
    return a.reason.empty();
  }
  return a.fval < b.fval || (std::isnan(b.fval) && !std::isnan(a.fval));
}

void take_covariance(const Attempt& attempt, std::span<const std::size_t> free, FitResult& result) {
  result.covariance_status = attempt.status;
  if (attempt.covariance.empty()) {
    return;
  }
  result.covariance = SquareMatrix(result.parameters.size());
  for (std::size_t row = 0; row < free.size(); ++row) {
    for (std::size_t column = 0; column < free.size(); ++column) {
      result.covariance(free[row], free[column]) = attempt.covariance(row, column);
    }
    result.parameters[free[row]].error = std::sqrt(attempt.covariance(row, row));
  }
}

void warn(const Objective& objective, FitResult& result) {
  for (FittedParameter& fitted : result.parameters) {
    const Parameter& parameter = fitted.parameter;
    if (!parameter.fixed && !parameter.periodic &&
        ((parameter.lower && parameter.value < *parameter.lower) ||
         (parameter.upper && parameter.value > *parameter.upper))) {
      result.warnings.push_back(
          fmt::format("{}: its start, {}, lies outside its bounds: the fit "
                      "started at the bound",
                      parameter.name, parameter.value));
    }
    fitted.at_limit = is_at_limit(fitted);
    if (fitted.at_limit) {
      result.warnings.push_back(fmt::format(
          "{}: closer to a bound than half its error, which means little there", parameter.name));
    }
  }
  if (!objective.errors_are_statistical()) {
    result.warnings.emplace_back("a penalty is in the function: its errors are not statistical");
  }
  if (objective.is_weighted()) {
    result.warnings.emplace_back(
        "the data are weighted: these errors are those of the naive covariance");
  }
}

FitResult empty_result(const Objective& objective, const FitOptions& options) {
  FitResult result;
  result.errordef = objective.error_definition();
  result.edm_goal = edm_goal(options, result.errordef);
  result.ndata = objective.data_count();
  result.weighted = objective.is_weighted();
  result.errors_are_statistical = objective.errors_are_statistical();
  result.algorithm =
      options.minimiser == Minimiser::minuit2 ? "MIGRAD (Minuit2)" : "L-BFGS (NLopt)";
  return result;
}

/// Nothing is free: the function at that point.
Attempt held(CountedFunction& function) {
  Attempt attempt;
  const Evaluation here = function.evaluate({}, {});
  attempt.fval = here.feasible ? here.value : std::nan("");
  attempt.reason = here.feasible ? "" : "all parameters are fixed, and infeasible: " + here.reason;
  attempt.status = CovarianceStatus::accurate;
  return attempt;
}
}  // namespace

std::string_view name(Minimiser minimiser) noexcept {
  return minimiser == Minimiser::minuit2 ? "minuit2" : "nlopt";
}

Minimiser minimiser_called(std::string_view name) {
  for (const Minimiser minimiser : {Minimiser::minuit2, Minimiser::nlopt}) {
    if (name == fit::name(minimiser)) {
      return minimiser;
    }
  }
  throw Error(ErrorCode::invalid_spec,
              fmt::format("minimiser: \"{}\" is neither minuit2 nor nlopt", name));
}

bool is_available(Minimiser minimiser) {
  try {
    minimiser == Minimiser::minuit2 ? static_cast<void>(minuit_entries())
                                    : static_cast<void>(nlopt_entries());
    return true;
  } catch (const Error&) {
    return false;
  }
}

FitResult minimise(Objective& objective, const FitOptions& options) {
  const std::vector<Parameter>& parameters = objective.parameters();
  check(parameters);
  check(options, objective.error_definition());
  FitResult result = empty_result(objective, options);
  const std::vector<std::size_t> free = free_indices(parameters);
  Attempt best;
  std::vector<double> best_whole;
  for (int turn = 0; turn <= options.restarts; ++turn) {
    const std::vector<double> start = start_of(parameters, options, turn);
    CountedFunction function(objective, start, objective.error_definition());
    Attempt found = free.empty() ? held(function)
                                 : attempt(function, free_parameters(parameters, start), options);
    result.nfcn += function.nfcn();
    result.ngrad += function.ngrad();
    result.nhessian += function.nhessian();
    if (turn == 0 || better(found, best)) {
      best = std::move(found);
      best_whole = function.whole(best.point);
    }
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    result.parameters.push_back({.parameter = parameters[i], .value = best_whole[i]});
  }
  result.fval = best.fval;
  result.edm = best.edm;
  result.reason = best.reason;
  result.valid = best.reason.empty();
  result.has_reached_call_limit = best.has_reached_call_limit;
  result.is_above_max_edm = best.is_above_max_edm;
  result.hesse_failed = best.hesse_failed;
  take_covariance(best, free, result);
  warn(objective, result);
  return result;
}

}  // namespace weir::fit
