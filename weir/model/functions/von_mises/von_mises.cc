#include <numbers>

#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

/// kappa (cos(x - mu) - 1), without a difference where x is close to mu.
Expr exponent(std::span<const Expr> a) {
  const Expr s = sin(0.5 * (a[0] - a[1]));
  return -2 * a[2] * (s * s);
}

Expr value(std::span<const Expr> a) {
  return exp(exponent(a)) * (1 / (2 * std::numbers::pi * bessel_i0e(a[2])));
}

Expr log_value(std::span<const Expr> a) {
  return exponent(a) - log(2 * std::numbers::pi * bessel_i0e(a[2]));
}

}  // namespace

const ModelFunction& von_mises_function();
const ModelFunction& von_mises_function() {
  static const ModelFunction kVonMises{
      .name = "von_mises",
      .arguments = {"x", "mu", "kappa"},
      .value = &value,
      .log_value = &log_value,
      .integral = nullptr,
      .formula = R"(\frac{e^{\kappa\cos(x-\mu)}}{2\pi I_0(\kappa)})",
      .source = "Mardia and Jupp, Directional Statistics (2000) 3.5.4; DLMF 10.25",
      .summary =
          "von Mises distribution of an angle in radians, normalised on a circle; kappa >= 0"};
  return kVonMises;
}

}  // namespace weir::model
