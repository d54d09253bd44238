#include <numbers>

#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kOneOverPi = 1 / std::numbers::pi;

Expr value(std::span<const Expr> a) {
  const Expr half = 0.5 * a[2];
  const Expr d = a[0] - a[1];
  return half * kOneOverPi / (d * d + half * half);
}

/// Far from the peak the slope of the value is below the smallest number, that of its logarithm
/// not.
Expr log_value(std::span<const Expr> a) {
  const Expr half = 0.5 * a[2];
  const Expr d = a[0] - a[1];
  return log(half * kOneOverPi) - log(d * d + half * half);
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr half = 0.5 * a[2];
  const Expr from_left = less(-infinity(), lower);
  const Expr to_right = less(upper, infinity());
  const Expr p = select(from_left, lower, 0) - a[1];
  const Expr q = select(to_right, upper, 0) - a[1];
  // The angle under which the range is seen: one arc, no difference of two.
  const Expr between = atan2((q - p) * half, half * half + p * q);
  const Expr from = select(to_right, between, atan2(half, p));
  const Expr up_to = select(to_right, atan2(half, -q), std::numbers::pi);
  return kOneOverPi * select(from_left, from, up_to);
}

}  // namespace

const ModelFunction& breit_wigner_function();
const ModelFunction& breit_wigner_function() {
  static const ModelFunction kBreitWigner{
      .name = "breit_wigner",
      .arguments = {"x", "m", "gamma"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula = R"(\frac{\Gamma/(2\pi)}{(x-m)^2+\Gamma^2/4})",
      .source = "PDG review Probability (Cauchy)",
      .summary = "Breit-Wigner (Cauchy, Lorentz) with full width gamma; gamma > 0"};
  return kBreitWigner;
}

}  // namespace weir::model
