#include <cmath>
#include <numbers>

#include "weir/model/density/gaussian_mass.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kHalfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);

Expr log_scaled_mass(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr per_sigma = 1 / a[2];
  return log_scaled_gaussian_mass((lower - a[1]) * per_sigma, (upper - a[1]) * per_sigma);
}

/// -(t^2 - s^2)/2 of two places by their distance: both squares may be huge.
Expr fall(std::span<const Expr> a, const Expr& from, const Expr& to) {
  const Expr per_sigma = 1 / a[2];
  return -0.5 * ((to - from) * per_sigma) * (((to - a[1]) + (from - a[1])) * per_sigma);
}

Expr log_inside(std::span<const Expr> a) {
  const Expr highest = clamped(a[1], a[3], a[4]);
  return fall(a, highest, a[0]) - (log(a[2]) + kHalfLogTwoPi + log_scaled_mass(a, a[3], a[4]));
}

Expr value(std::span<const Expr> a) {
  return within(a[0], a[3], a[4], exp(log_inside(a)));
}

Expr log_value(std::span<const Expr> a) {
  return log_within(a[0], a[3], a[4], log_inside(a));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr from = clamped(lower, a[3], a[4]);
  const Expr to = clamped(upper, a[3], a[4]);
  const Expr drop = fall(a, clamped(a[1], a[3], a[4]), clamped(a[1], from, to));
  return exp(drop + log_scaled_mass(a, from, to) - log_scaled_mass(a, a[3], a[4]));
}

}  // namespace

const ModelFunction& truncated_normal_function();
const ModelFunction& truncated_normal_function() {
  static const ModelFunction kTruncatedNormal{
      .name = "truncated_normal",
      .arguments = {"x", "mu", "sigma", "lower", "upper"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula =
          R"(\frac{e^{-(x-\mu)^2/(2\sigma^2)}}{\int_a^b e^{-(t-\mu)^2/(2\sigma^2)}dt},\quad a\le x\le b)",
      .source = "PDG review Probability, table 39.1; DLMF 7.2",
      .summary = "Normal distribution on [lower, upper]; sigma > 0"};
  return kTruncatedNormal;
}

}  // namespace weir::model
