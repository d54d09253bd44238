#include <cmath>
#include <numbers>

#include "weir/model/density/gaussian_mass.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kHalfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);

Expr log_value(std::span<const Expr> a) {
  const Expr log_x = log(select(less(0, a[0]), a[0], 1));
  const Expr t = (log_x - a[1]) * (1 / a[2]);
  return select(less(0, a[0]), -0.5 * (t * t) - log_x - (log(a[2]) + kHalfLogTwoPi), -infinity());
}

Expr value(std::span<const Expr> a) {
  return exp(log_value(a));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const auto standard = [&](const Expr& x) {
    return select(less(0, x), (log(x) - a[1]) * (1 / a[2]), -infinity());
  };
  return gaussian_mass(standard(lower), standard(upper));
}

}  // namespace

const ModelFunction& log_normal_function();
const ModelFunction& log_normal_function() {
  static const ModelFunction kLogNormal{
      .name = "log_normal",
      .arguments = {"x", "mu", "sigma"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula =
          R"(\frac{1}{x\sigma\sqrt{2\pi}}\exp\left(-\frac{(\ln x-\mu)^2}{2\sigma^2}\right),\quad x>0)",
      .source = "Eadie et al., Statistical Methods in Experimental Physics",
      .summary = "Log-normal; mu and sigma belong to ln x; sigma > 0"};
  return kLogNormal;
}

}  // namespace weir::model
