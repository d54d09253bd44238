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
  return select(less(t, -a[3]), log_power_tail(-t, a[3], a[4]), -0.5 * (t * t));
}

/// The integral of the shape over t from `from` to `to`.
Expr mass(std::span<const Expr> a, const Expr& from, const Expr& to) {
  const Expr tail = power_tail_mass(max(-to, a[3]), max(-from, a[3]), a[3], a[4]);
  return tail + kRootTwoPi * gaussian_mass(max(from, -a[3]), max(to, -a[3]));
}

/// The integral over all t.
Expr whole(std::span<const Expr> a) {
  return power_tail_mass(a[3], infinity(), a[3], a[4]) +
         kRootHalfPi * erfc(-kOneOverRootTwo * a[3]);
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

const ModelFunction& crystal_ball_function();
const ModelFunction& crystal_ball_function() {
  static const ModelFunction kCrystalBall{
      .name = "crystal_ball",
      .arguments = {"x", "mu", "sigma", "alpha", "n"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula =
          R"(\frac1N\begin{cases}e^{-t^2/2}&t\ge-\alpha\\(n/\alpha)^ne^{-\alpha^2/2}(n/\alpha-\alpha-t)^{-n}&t<-\alpha\end{cases},\quad t=\frac{x-\mu}{\sigma})",
      .source = "Gaiser, SLAC-R-255 (1982) app. F; Oreglia, SLAC-R-236 (1980) app. D",
      .summary =
          "Crystal Ball: a normal peak with a power tail on the left; sigma, alpha > 0, n > 1"};
  return kCrystalBall;
}

}  // namespace weir::model
