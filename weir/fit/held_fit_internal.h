#pragma once

#include <span>
#include <string>
#include <vector>

#include "weir/fit/attempt_internal.h"
#include "weir/fit/fit_result.h"
#include "weir/fit/objective.h"

namespace weir::fit {

/// The objective with other parameters fixed than its own.
class HeldObjective final : public Objective {
 public:
  HeldObjective(Objective& objective, std::span<const std::size_t> held)
      : objective_(objective), parameters_(objective.parameters()) {
    for (const std::size_t i : held) {
      parameters_[i].fixed = true;
    }
  }
  const std::vector<Parameter>& parameters() const noexcept override { return parameters_; }
  Evaluation value(std::span<const double> point) override { return objective_.value(point); }
  Evaluation value_and_gradient(std::span<const double> point,
                                std::span<double> gradient) override {
    return objective_.value_and_gradient(point, gradient);
  }
  std::optional<SquareMatrix> hessian(std::span<const double> point) override {
    return objective_.hessian(point);
  }
  double error_definition() const noexcept override { return objective_.error_definition(); }

 private:
  Objective& objective_;
  std::vector<Parameter> parameters_;
};

/// The function with some parameters held and the others minimised over, near a fitted minimum.
class HeldFit {
 public:
  /// `held`: indices among all parameters, free ones of the fit.
  HeldFit(Objective& objective, const FitResult& result, std::vector<std::size_t> held,
          const FitOptions& options);

  struct Point {
    bool valid = false;  ///< Whether the minimum over the others was found.
    double fval = 0;
    std::vector<double> slopes = {};  ///< Of that minimum, by the held parameters.
    std::string reason = {};
  };
  /// The held parameters at `values`.
  Point at(std::span<const double> values);

  std::int64_t calls() const noexcept { return calls_; }

 private:
  std::vector<double> predicted(std::span<const double> values) const;

  Objective& objective_;
  const FitResult& result_;
  std::vector<std::size_t> held_;
  FitOptions options_;
  HeldObjective function_;
  std::int64_t calls_ = 0;
};

/// Throws `invalid_spec` where errors by the function's rise mean nothing: weighted data, a result
/// that is not valid, a parameter that is unknown or fixed. Returns the parameters' indices.
std::vector<std::size_t> indices_for_rise(const Objective& objective, const FitResult& result,
                                          std::span<const std::string> names);

/// Throws `invalid_spec` unless positive and finite.
void check_sigmas(double sigmas);

/// Where along a ray from the minimum the function, minimised over the other parameters, has risen
/// enough.
struct Crossing {
  double distance = 0;  ///< In units of the ray's direction.
  bool valid = false;
  bool at_limit = false;   ///< A bound came first: `distance` is where.
  bool max_calls = false;  ///< The search did not end.
  bool new_minimum = false;
};

/// `direction`: one standard error, or a point of the ellipse, for each held parameter, so that the
/// distance is near `sigmas`.
Crossing find_crossing(HeldFit& fit, const FitResult& result, std::span<const std::size_t> held,
                       std::span<const double> direction, double sigmas);

}  // namespace weir::fit
