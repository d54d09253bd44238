#include <cmath>
#include <numbers>

#include "weir/model/density/gaussian_mass.h"
#include "weir/model/density/power_tail.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kRootTwoPi = std::sqrt(2 * std::numbers::pi);
const double kRootHalfPi = std::sqrt(std::numbers::pi / 2);
const double kOneOverRootTwo = 1 / std::numbers::sqrt2;

/// The logarithm without the normalisation.
Expr log_shape(std::span<const Expr> a) {
  const Expr t = (a[0] - a[1]) * (1 / a[2]);
  const Expr right = select(less(a[5], t), log_power_tail(t, a[5], a[6]), -0.5 * (t * t));
  return select(less(t, -a[3]), log_power_tail(-t, a[3], a[4]), right);
}

/// The integral of the shape over t from `from` to `to`.
Expr mass(std::span<const Expr> a, const Expr& from, const Expr& to) {
  const Expr left = power_tail_mass(max(-to, a[3]), max(-from, a[3]), a[3], a[4]);
  const Expr right = power_tail_mass(max(from, a[5]), max(to, a[5]), a[5], a[6]);
  const Expr middle = gaussian_mass(clamped(from, -a[3], a[5]), clamped(to, -a[3], a[5]));
  return left + right + kRootTwoPi * middle;
}

/// The integral over all t.
Expr whole(std::span<const Expr> a) {
  const Expr tails =
      power_tail_mass(a[3], infinity(), a[3], a[4]) + power_tail_mass(a[5], infinity(), a[5], a[6]);
  return tails + kRootHalfPi * (erf(kOneOverRootTwo * a[3]) + erf(kOneOverRootTwo * a[5]));
}

Expr value(std::span<const Expr> a) {
  return exp(log_shape(a)) * (1 / (whole(a) * a[2]));
}

Expr log_value(std::span<const Expr> a) {
  return log_shape(a) - log(whole(a) * a[2]);
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr per_sigma = 1 / a[2];
  return mass(a, (lower - a[1]) * per_sigma, (upper - a[1]) * per_sigma) / whole(a);
}

}  // namespace

const ModelFunction& crystal_ball_two_sided_function();
const ModelFunction& crystal_ball_two_sided_function() {
  static const ModelFunction kCrystalBallTwoSided{
      .name = "crystal_ball_two_sided",
      .arguments = {"x", "mu", "sigma", "alpha_l", "n_l", "alpha_r", "n_r"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula =
          R"(\frac1N\begin{cases}e^{-t^2/2}&-\alpha_l\le t\le\alpha_r\\(n_s/\alpha_s)^{n_s}e^{-\alpha_s^2/2}(n_s/\alpha_s-\alpha_s+|t|)^{-n_s}&\text{else, of its side}\end{cases},\quad t=\frac{x-\mu}{\sigma})",
      .source = "Gaiser, SLAC-R-255 (1982) app. F, on both sides",
      .summary =
          "Crystal Ball with a power tail on each side; sigma, alpha_l, alpha_r > 0, n_l, n_r > 1"};
  return kCrystalBallTwoSided;
}

}  // namespace weir::model
