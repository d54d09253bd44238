#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/core/error.h"
#include "weir/fit/held_fit_internal.h"

namespace weir::fit {

HeldFit::HeldFit(Objective& objective, const FitResult& result, std::vector<std::size_t> held,
                 const FitOptions& options)
    : objective_(objective),
      result_(result),
      held_(std::move(held)),
      options_(options),
      function_(objective, held_) {}

/// The others where the parabola around the minimum has them.
std::vector<double> HeldFit::predicted(std::span<const double> values) const {
  std::vector<double> point = result_.point();
  const auto count = static_cast<Eigen::Index>(held_.size());
  Eigen::MatrixXd inner(count, count);
  Eigen::VectorXd moved(count);
  for (Eigen::Index row = 0; row < count; ++row) {
    moved(row) = values[row] - point[held_[row]];
    for (Eigen::Index column = 0; column < count; ++column) {
      inner(row, column) = result_.covariance(held_[row], held_[column]);
    }
  }
  const Eigen::VectorXd pull = inner.ldlt().solve(moved);
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Parameter& parameter = result_.parameters[i].parameter;
    if (parameter.fixed) {
      continue;
    }
    for (Eigen::Index column = 0; column < count; ++column) {
      point[i] += result_.covariance(i, held_[column]) * pull(column);
    }
    if (!parameter.periodic) {
      point[i] = std::clamp(point[i], parameter.lower.value_or(-HUGE_VAL),
                            parameter.upper.value_or(HUGE_VAL));
    }
  }
  for (std::size_t i = 0; i < held_.size(); ++i) {
    point[held_[i]] = values[i];
  }
  return point;
}

HeldFit::Point HeldFit::at(std::span<const double> values) {
  CountedFunction function(function_, predicted(values), objective_.error_definition());
  Point point;
  Attempt found;
  if (!function.free().empty()) {
    std::vector<double> start;
    SquareMatrix errors(function.free().size());
    for (std::size_t i = 0; i < function.free().size(); ++i) {
      start.push_back(function.parameters()[i].value);
      errors(i, i) = result_.covariance(function.free()[i], function.free()[i]);
    }
    found = refined(function, start, errors, options_);
    if (!found.reason.empty()) {
      found = attempt(function, function.parameters(), options_);
    }
  }
  point.reason = found.reason;
  const std::vector<double> whole = function.whole(found.point);
  std::vector<double> gradient(whole.size());
  const Evaluation here = objective_.value_and_gradient(whole, gradient);
  calls_ += function.nfcn() + function.ngrad() + 1;
  if (!here.feasible || !std::isfinite(here.value)) {
    point.reason = "infeasible: " + here.reason;
  }
  point.valid = point.reason.empty();
  point.fval = here.value;
  for (const std::size_t i : held_) {
    point.slopes.push_back(gradient[i]);
  }
  return point;
}

void check_sigmas(double sigmas) {
  if (!(sigmas > 0 && std::isfinite(sigmas))) {
    throw Error(ErrorCode::invalid_spec, fmt::format("sigmas: {} is not positive", sigmas));
  }
}

std::vector<std::size_t> indices_for_rise(const Objective& objective, const FitResult& result,
                                          std::span<const std::string> names) {
  if (objective.is_weighted()) {
    throw Error(ErrorCode::invalid_spec,
                "the data are weighted: the rise of the function is no measure of errors there; "
                "take the asymptotic covariance");
  }
  if (!result.valid) {
    throw Error(ErrorCode::invalid_spec, "the fit is not valid: " + result.reason);
  }
  std::vector<std::size_t> indices;
  for (const std::string& name : names) {
    indices.push_back(index_of(objective.parameters(), name));
    if (objective.parameters()[indices.back()].fixed) {
      throw Error(ErrorCode::invalid_spec, fmt::format("parameter {} is fixed", name));
    }
  }
  if (result.covariance.empty()) {
    throw Error(ErrorCode::invalid_spec, "the fit has no covariance to begin from");
  }
  return indices;
}

namespace {
constexpr int kTurns = 60;
constexpr double kClose = 1e-8;

/// The search for the distance at which the root of the rise, which is nearly linear, is 1.
class Search {
 public:
  Search(HeldFit& fit, const FitResult& result, std::span<const std::size_t> held,
         std::span<const double> direction, double sigmas)
      : fit_(fit), result_(result), held_(held), direction_(direction), sigmas_(sigmas) {}

  Crossing run() {
    const double limit = distance_to_bounds();
    double distance = std::min(sigmas_, limit);
    for (int turn = 0; turn < kTurns; ++turn) {
      const Rise rise = rise_at(distance);
      if (rise.new_minimum) {
        return {.distance = distance, .new_minimum = true};
      }
      if (rise.known && std::abs(rise.root - sigmas_) < kClose * sigmas_) {
        return {.distance = distance, .valid = true};
      }
      if (rise.known && rise.root < sigmas_) {
        if (distance >= limit) {
          return {.distance = limit, .valid = true, .at_limit = true};
        }
        low_ = distance;
      } else {
        high_ = distance;
        high_known_ = high_known_ || rise.known;
      }
      if (high_ - low_ < 1e-9 * high_) {
        break;  // Where the function ceases to exist before it has risen enough.
      }
      distance = next(rise, distance, limit);
    }
    const bool crossed = high_known_ && high_ - low_ < 1e-6 * high_;
    return {.distance = low_, .valid = crossed, .max_calls = !crossed && std::isinf(high_)};
  }

 private:
  struct Rise {
    bool known = false;
    bool new_minimum = false;
    double root = 0;   ///< Of the rise in error definitions: standard errors.
    double slope = 0;  ///< Of the root, by the distance.
  };

  double distance_to_bounds() const {
    double limit = HUGE_VAL;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const FittedParameter& fitted = result_.parameters[held_[i]];
      if (fitted.parameter.periodic || direction_[i] == 0) {
        continue;
      }
      const auto bound = direction_[i] > 0 ? fitted.parameter.upper : fitted.parameter.lower;
      if (bound) {
        limit = std::min(limit, (*bound - fitted.value) / direction_[i]);
      }
    }
    return limit;
  }

  Rise rise_at(double distance) {
    std::vector<double> values;
    values.reserve(held_.size());
    for (std::size_t i = 0; i < held_.size(); ++i) {
      values.push_back(result_.parameters[held_[i]].value + distance * direction_[i]);
    }
    const HeldFit::Point point = fit_.at(values);
    Rise rise;
    if (!point.valid) {
      return rise;
    }
    const double risen = (point.fval - result_.fval) / result_.errordef;
    rise.known = true;
    rise.new_minimum = risen < -1e-3;
    rise.root = std::sqrt(std::max(0.0, risen));
    for (std::size_t i = 0; i < held_.size(); ++i) {
      rise.slope += point.slopes[i] * direction_[i] / result_.errordef;
    }
    rise.slope = rise.root > 0 ? rise.slope / (2 * rise.root) : 0;
    return rise;
  }

  /// Newton's step where it stays between what is known, else the middle, or three times as far.
  double next(const Rise& rise, double distance, double limit) const {
    const double farthest = std::isinf(high_) ? std::min(limit, 3 * distance) : high_;
    double step =
        rise.known && rise.slope > 0 ? distance + (sigmas_ - rise.root) / rise.slope : HUGE_VAL;
    if (std::isinf(high_)) {
      return std::min(step, farthest);
    }
    return step > low_ && step < high_ ? step : (low_ + high_) / 2;
  }

  HeldFit& fit_;
  const FitResult& result_;
  std::span<const std::size_t> held_;
  std::span<const double> direction_;
  double sigmas_;
  double low_ = 0;
  double high_ = HUGE_VAL;
  bool high_known_ = false;
};
}  // namespace

Crossing find_crossing(HeldFit& fit, const FitResult& result, std::span<const std::size_t> held,
                       std::span<const double> direction, double sigmas) {
  return Search(fit, result, held, direction, sigmas).run();
}

}  // namespace weir::fit
