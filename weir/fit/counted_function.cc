#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/fit/second_derivatives_internal.h"

namespace weir::fit {
namespace {
/// `value` moved by whole periods to between the bounds.
double within_period(const Parameter& parameter, double value) {
  const double period = *parameter.upper - *parameter.lower;
  const double turned = value - period * std::floor((value - *parameter.lower) / period);
  return turned < *parameter.upper ? turned : *parameter.lower;
}
}  // namespace

std::vector<FreeParameter> free_parameters(std::span<const Parameter> parameters,
                                           std::span<const double> point) {
  std::vector<FreeParameter> free;
  for (const std::size_t i : free_indices(parameters)) {
    const Parameter& parameter = parameters[i];
    free.push_back({.name = parameter.name, .value = point[i], .step = first_step(parameter)});
    if (!parameter.periodic) {
      free.back().lower = parameter.lower;
      free.back().upper = parameter.upper;
    }
  }
  return free;
}

CountedFunction::CountedFunction(Objective& objective, std::vector<double> point, double rise)
    : objective_(objective),
      all_(std::move(point)),
      free_(free_indices(objective.parameters())),
      parameters_(free_parameters(objective.parameters(), all_)),
      all_gradient_(all_.size()),
      rise_(rise) {}

std::vector<double> CountedFunction::whole(std::span<const double> point) const {
  std::vector<double> all = all_;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const Parameter& parameter = objective_.parameters()[free_[i]];
    all[free_[i]] = parameter.periodic ? within_period(parameter, point[i]) : point[i];
  }
  return all;
}

Evaluation CountedFunction::checked(Evaluation evaluation) const {
  if (evaluation.feasible && !std::isfinite(evaluation.value)) {
    evaluation.feasible = false;
    evaluation.reason = fmt::format("its value is {}", evaluation.value);
    evaluation.value = 0;
  } else if (!evaluation.feasible && !(evaluation.value >= 0 && std::isfinite(evaluation.value))) {
    evaluation.value = 0;
  }
  return evaluation;
}

double CountedFunction::unit() const noexcept {
  return worst_ >= best_ ? std::max(1.0, worst_ - best_) : 1.0;
}

double CountedFunction::finite(const Evaluation& evaluation) {
  if (evaluation.feasible) {
    best_ = std::min(best_, evaluation.value);
    worst_ = std::max(worst_, evaluation.value);
    return evaluation.value;
  }
  return (worst_ >= best_ ? worst_ : 0) + unit() * (1 + evaluation.value);
}

double CountedFunction::value(std::span<const double> point) {
  ++nfcn_;
  return finite(checked(objective_.value(whole(point))));
}

Evaluation CountedFunction::evaluate(std::span<const double> point, std::span<double> gradient) {
  ++ngrad_;
  Evaluation evaluation = checked(objective_.value_and_gradient(whole(point), all_gradient_));
  for (std::size_t i = 0; i < free_.size(); ++i) {
    gradient[i] = all_gradient_[free_[i]];
    if (!std::isfinite(gradient[i])) {
      if (evaluation.feasible) {
        evaluation = {.value = 0,
                      .feasible = false,
                      .reason = fmt::format("its derivative by {} is {}",
                                            objective_.parameters()[free_[i]].name, gradient[i])};
      }
      gradient[i] = 0;
    }
  }
  return evaluation;
}

double CountedFunction::value_and_gradient(std::span<const double> point,
                                           std::span<double> gradient) {
  const Evaluation evaluation = evaluate(point, gradient);
  const double value = finite(evaluation);
  if (!evaluation.feasible) {
    for (double& slope : gradient) {
      slope *= unit();
    }
  }
  return value;
}

std::optional<SquareMatrix> CountedFunction::hessian(std::span<const double> point) {
  std::vector<double> scales;
  scales.reserve(parameters_.size());
  for (const FreeParameter& parameter : parameters_) {
    scales.push_back(parameter.step);
  }
  SecondDerivatives found = second_derivatives(*this, point, scales);
  return found.problem.empty() ? std::optional(std::move(found.matrix)) : std::nullopt;
}

std::optional<SquareMatrix> CountedFunction::exact_hessian(std::span<const double> point) {
  const std::optional<SquareMatrix> all = objective_.hessian(whole(point));
  if (!all) {
    return {};
  }
  ++nhessian_;
  SquareMatrix chosen(free_.size());
  for (std::size_t row = 0; row < free_.size(); ++row) {
    for (std::size_t column = 0; column < free_.size(); ++column) {
      chosen(row, column) = (*all)(free_[row], free_[column]);
      if (!std::isfinite(chosen(row, column))) {
        return {};
      }
    }
  }
  return chosen;
}

}  // namespace weir::fit
