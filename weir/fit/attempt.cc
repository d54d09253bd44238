#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/fit/attempt_internal.h"
#include "weir/fit/second_derivatives_internal.h"
#include "weir/fit/valley_internal.h"

namespace weir::fit {
namespace {
constexpr int kRounds = 6;
constexpr int kNewtonSteps = 6;
constexpr int kHesseTurns = 3;
// A ten-millionth of the error definition is a two-thousandth of an error away.
constexpr double kNear = 1e-7;
constexpr int kEscapes = 100;
// Newton steps cost one gradient each and go on far below the goal, so that two minimisers agree
// far within a thousandth of an error.
constexpr double kPolish = 1e-7;

double clamped(const FreeParameter& parameter, double value) {
  return std::clamp(value, parameter.lower.value_or(-HUGE_VAL), parameter.upper.value_or(HUGE_VAL));
}

/// Follows the penalty's slope to where the function exists: steps that a penalty falling linearly
/// would end in, a little longer. Returns why it cannot; empty when it is there.
std::string escape(CountedFunction& function, std::vector<FreeParameter>& parameters) {
  constexpr double kBeyond = 1.2;
  std::vector<double> point;
  point.reserve(parameters.size());
  for (const FreeParameter& parameter : parameters) {
    point.push_back(parameter.value);
  }
  std::vector<double> gradient(point.size());
  std::string first_reason;
  for (int turn = 0; turn < kEscapes; ++turn) {
    const Evaluation here = function.evaluate(point, gradient);
    if (here.feasible) {
      for (std::size_t i = 0; i < point.size(); ++i) {
        parameters[i].value = point[i];
      }
      return {};
    }
    if (turn == 0) {
      first_reason = here.reason;
    }
    double steepness = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      steepness += gradient[i] * gradient[i] * parameters[i].step * parameters[i].step;
    }
    const double length = kBeyond * here.value / steepness;
    if (!(steepness > 0) || !(length > 0) || !std::isfinite(length)) {
      return fmt::format("the start is infeasible ({}) and nothing shows the way out",
                         first_reason);
    }
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double scale = parameters[i].step * parameters[i].step;
      point[i] = clamped(parameters[i], point[i] - length * gradient[i] * scale);
    }
  }
  return fmt::format("the start is infeasible ({}) and {} steps did not lead out of it",
                     first_reason, kEscapes);
}

/// Guesses of the errors: the minimiser's, else the first steps.
std::vector<double> scales_of(const SquareMatrix& covariance,
                              std::span<const FreeParameter> parameters) {
  std::vector<double> scales;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double variance = covariance.empty() ? 0 : covariance(i, i);
    scales.push_back(variance > 0 && std::isfinite(variance) ? std::sqrt(variance)
                                                             : parameters[i].step);
  }
  return scales;
}

/// HESSE and Newton's method at the end of a minimiser's run.
class Refinement {
 public:
  Refinement(CountedFunction& function, std::span<const FreeParameter> parameters, double goal)
      : function_(function), parameters_(parameters), goal_(goal) {}

  void run(Attempt& attempt) {
    gradient_.resize(attempt.point.size());
    const Evaluation here = function_.evaluate(attempt.point, gradient_);
    if (!here.feasible) {
      attempt.reason =
          fmt::format("the fit ended where the function does not exist: {}", here.reason);
      return;
    }
    attempt.fval = here.value;
    // Second derivatives taken too far from the minimum are taken again where Newton's method led.
    for (int turn = 0; turn < kHesseTurns; ++turn) {
      const double distance = descend(attempt);
      if (!attempt.reason.empty() || distance <= kNear * function_.error_definition()) {
        return;
      }
    }
  }

 private:
  /// One set of second derivatives and the steps they allow. Returns the edm of where it began.
  double descend(Attempt& attempt) {
    const SecondDerivatives second =
        second_derivatives(function_, attempt.point, scales_of(attempt.covariance, parameters_));
    if (!second.problem.empty()) {
      attempt.hesse_failed = true;
      attempt.covariance = {};
      attempt.reason = "HESSE failed: " + second.problem;
      return 0;
    }
    Valley valley = valley_at(attempt, second.matrix);
    const double distance = valley.edm;
    for (int turn = 0; turn < kNewtonSteps; ++turn) {
      const bool arrived = valley.edm <= kPolish * goal_ && !valley.beside_a_bound;
      if (arrived || !valley.problem.empty() || !step_to(valley.minimum, attempt)) {
        break;
      }
      valley = valley_at(attempt, second.matrix);
    }
    attempt.edm = valley.edm;
    attempt.covariance = std::move(valley.covariance);
    attempt.status = valley.status;
    attempt.reason = valley.problem;
    return distance;
  }

  Valley valley_at(const Attempt& attempt, const SquareMatrix& hessian) const {
    return valley_of(parameters_, attempt.point, gradient_, hessian, function_.error_definition());
  }

  /// Takes the step where it does not lead up; rounding may hide how little it leads down.
  bool step_to(const std::vector<double>& minimum, Attempt& attempt) {
    std::vector<double> gradient(minimum.size());
    const Evaluation there = function_.evaluate(minimum, gradient);
    const double rounding = 1e-13 * std::abs(attempt.fval);
    if (!there.feasible || !(there.value <= attempt.fval + rounding)) {
      return false;
    }
    attempt.point = minimum;
    attempt.fval = there.value;
    gradient_ = std::move(gradient);
    return true;
  }

  CountedFunction& function_;
  std::span<const FreeParameter> parameters_;
  double goal_;
  std::vector<double> gradient_;
};

/// At a bound Minuit's transformation has slope 0, and nothing would lead away from it.
double off_the_bounds(const FreeParameter& parameter) {
  const bool box = parameter.lower && parameter.upper;
  double room = parameter.step / 2;
  room = box ? std::min(room, (*parameter.upper - *parameter.lower) / 20) : room;
  const double least = parameter.lower ? *parameter.lower + room : -HUGE_VAL;
  const double most = parameter.upper ? *parameter.upper - room : HUGE_VAL;
  return parameter.value <= parameter.lower.value_or(-HUGE_VAL)  ? least
         : parameter.value >= parameter.upper.value_or(HUGE_VAL) ? most
                                                                 : parameter.value;
}

EngineOutput run_engine(EngineInput input, Minimiser minimiser) {
  if (minimiser == Minimiser::nlopt) {
    return nlopt_entries().lbfgs(input);
  }
  for (FreeParameter& parameter : input.parameters) {
    parameter.value = off_the_bounds(parameter);
  }
  return minuit_entries().migrad(input);
}

void judge_edm(double goal, const std::string& problem, Attempt& attempt) {
  attempt.is_above_max_edm = !(attempt.edm <= 10 * goal);
  if (attempt.is_above_max_edm && attempt.reason.empty()) {
    attempt.reason = fmt::format("the edm, {:.3g}, is above ten times its goal, {:.3g}{}{}",
                                 attempt.edm, goal, problem.empty() ? "" : ": ", problem);
  }
}
/// Strategy 1 of Minuit ends with second derivatives from many values, which come from gradients
/// here: they are left to later rounds.
int strategy_of(const FitOptions& options, int round) {
  return options.strategy == 1 && options.hesse && round == 0 ? 0 : options.strategy;
}

/// What the minimiser itself says, where no second derivatives are asked for.
void take_word(const EngineOutput& output, double goal, Attempt& attempt) {
  attempt.edm = output.edm;
  attempt.status =
      output.covariance.empty() ? CovarianceStatus::absent : CovarianceStatus::approximate;
  attempt.reason = output.problem;
  if (!std::isnan(attempt.edm)) {  // L-BFGS knows none.
    judge_edm(goal, output.problem, attempt);
  }
}

}  // namespace

double edm_goal(const FitOptions& options, double rise) {
  return 0.002 * options.tolerance * rise;
}

std::int64_t call_limit(const FitOptions& options, std::size_t free_parameters) {
  const auto count = static_cast<std::int64_t>(free_parameters);
  return options.max_calls > 0 ? options.max_calls : 200 + 100 * count + 5 * count * count;
}

Attempt refined(CountedFunction& function, std::vector<double> point, SquareMatrix covariance,
                const FitOptions& options) {
  const double goal = edm_goal(options, function.error_definition());
  Attempt attempt{.point = std::move(point), .covariance = std::move(covariance)};
  Refinement(function, function.parameters(), goal).run(attempt);
  judge_edm(goal, {}, attempt);
  return attempt;
}

Attempt attempt(CountedFunction& function, std::vector<FreeParameter> parameters,
                const FitOptions& options) {
  Attempt attempt;
  attempt.reason = escape(function, parameters);
  for (const FreeParameter& parameter : parameters) {
    attempt.point.push_back(parameter.value);
  }
  if (!attempt.reason.empty()) {
    attempt.fval = std::numeric_limits<double>::quiet_NaN();
    attempt.edm = attempt.fval;
    return attempt;
  }
  const double goal = edm_goal(options, function.error_definition());
  const std::int64_t limit = call_limit(options, parameters.size());
  const std::int64_t before = function.nfcn() + function.ngrad();
  for (int round = 0; round < kRounds; ++round) {
    const std::int64_t left = limit - (function.nfcn() + function.ngrad() - before);
    const EngineOutput output = run_engine({.function = &function,
                                            .parameters = parameters,
                                            .strategy = strategy_of(options, round),
                                            .tolerance = options.tolerance,
                                            .max_calls = std::max<std::int64_t>(1, left)},
                                           options.minimiser);
    attempt.point = output.point;
    attempt.fval = output.fval;
    attempt.covariance = output.covariance;
    attempt.has_reached_call_limit = output.has_reached_call_limit;
    if (output.has_reached_call_limit) {
      take_word(output, goal, attempt);
      attempt.reason = fmt::format("the limit of {} calls was reached", limit);
      return attempt;
    }
    if (options.hesse) {
      Refinement(function, parameters, goal).run(attempt);
      judge_edm(goal, output.problem, attempt);
    } else {
      take_word(output, goal, attempt);
    }
    if (attempt.reason.empty() || !std::isfinite(attempt.fval)) {
      return attempt;
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].value = attempt.point[i];
    }
  }
  return attempt;
}

}  // namespace weir::fit
