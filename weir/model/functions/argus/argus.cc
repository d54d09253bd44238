#include <cmath>
#include <numbers>

#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kRootHalfPi = std::sqrt(std::numbers::pi / 2);
const double kOneOverRootTwo = 1 / std::numbers::sqrt2;

/// The integral of t^2 exp(-t^2/2) from 0 to s over s^3, as a series in s^2 that serves to s = 1.
Expr small_mass(const Expr& s) {
  const Expr square = s * s;
  Expr sum = 0;
  for (int k = 14; k >= 0; --k) {
    const double term = std::pow(-0.5, k) / std::tgamma(k + 1.0) / (2 * k + 3);
    sum = sum * square + term;
  }
  return sum;
}

Expr mass_below(const Expr& s) {
  const Expr direct = kRootHalfPi * erf(s * kOneOverRootTwo) - s * exp(-0.5 * (s * s));
  return select(less(s, 1), s * s * s * small_mass(s), direct);
}

Expr mass_above(const Expr& s) {
  return s * exp(-0.5 * (s * s)) + kRootHalfPi * erfc(s * kOneOverRootTwo);
}

/// chi^3 over the integral up to chi: 3 at chi = 0.
Expr norm(const Expr& chi) {
  return select(less(chi, 1), 1 / small_mass(chi), chi * chi * chi / mass_below(chi));
}

/// 1 - x^2/c^2 from c - x, which is exact close to the end.
Expr depth(const Expr& x, const Expr& c) {
  return (c - x) * (c + x) * (1 / (c * c));
}

Expr inside(std::span<const Expr> a) {
  return logical_and(less(0, a[0]), less(a[0], a[1]));
}

Expr value(std::span<const Expr> a) {
  const Expr u = depth(a[0], a[1]);
  const Expr shape = a[0] * sqrt(u) * exp(-0.5 * (a[2] * a[2]) * u);
  return select(inside(a), shape * (norm(a[2]) / (a[1] * a[1])), 0);
}

Expr log_value(std::span<const Expr> a) {
  const Expr u = depth(a[0], a[1]);
  const Expr sum = log(a[0]) + 0.5 * log(u) - 0.5 * (a[2] * a[2]) * u;
  return select(inside(a), sum + (log(norm(a[2])) - 2 * log(a[1])), -infinity());
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  // The root has no slope at the very end.
  const auto limit = [&](const Expr& x) {
    const Expr at = depth(clamped(x, 0, a[1]), a[1]);
    const Expr open = less(0, at);
    return a[2] * select(open, sqrt(select(open, at, 1)), 0);
  };
  const Expr far = limit(lower);
  const Expr near = limit(upper);
  const Expr mass =
      select(less(1, near), mass_above(near) - mass_above(far), mass_below(far) - mass_below(near));
  return mass / mass_below(a[2]);
}

}  // namespace

const ModelFunction& argus_function();
const ModelFunction& argus_function() {
  static const ModelFunction kArgus{
      .name = "argus",
      .arguments = {"x", "c", "chi"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula =
          R"(\frac{\chi^3}{\sqrt{2\pi}\,\Psi(\chi)}\frac{x}{c^2}\sqrt{1-\frac{x^2}{c^2}}\,e^{-\frac{\chi^2}{2}\left(1-\frac{x^2}{c^2}\right)},\quad \Psi(\chi)=\Phi(\chi)-\chi\varphi(\chi)-\tfrac12,\ 0<x<c)",
      .source = "ARGUS, Phys. Lett. B 241 (1990) 278",
      .summary = "ARGUS background below its end c; c > 0, chi >= 0"};
  return kArgus;
}

}  // namespace weir::model
