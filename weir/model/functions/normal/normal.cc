#include <cmath>
#include <numbers>

#include "weir/model/density/gaussian_mass.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kRootTwoPi = std::sqrt(2 * std::numbers::pi);

Expr value(std::span<const Expr> a) {
  const Expr t = (a[0] - a[1]) * (1 / a[2]);
  return exp(-0.5 * (t * t)) * (1 / (a[2] * kRootTwoPi));
}

Expr log_value(std::span<const Expr> a) {
  const Expr t = (a[0] - a[1]) * (1 / a[2]);
  return -0.5 * (t * t) - (log(a[2]) + std::log(kRootTwoPi));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr per_sigma = 1 / a[2];
  return gaussian_mass((lower - a[1]) * per_sigma, (upper - a[1]) * per_sigma);
}

}  // namespace

const ModelFunction& normal_function();
const ModelFunction& normal_function() {
  static const ModelFunction kNormal{
      .name = "normal",
      .arguments = {"x", "mu", "sigma"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula = R"(\frac{1}{\sigma\sqrt{2\pi}}\exp\left(-\frac{(x-\mu)^2}{2\sigma^2}\right))",
      .source = "PDG review Probability, table 39.1",
      .summary = "Normal distribution; sigma > 0"};
  return kNormal;
}

}  // namespace weir::model
