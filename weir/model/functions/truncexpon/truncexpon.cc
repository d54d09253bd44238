#include "weir/model/density/exponential_mass.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

Expr log_norm(std::span<const Expr> a, const Expr& rate) {
  const Expr width = a[3] - a[2];
  return log(width) + log_mean_of_decay(rate * width);
}

Expr value(std::span<const Expr> a) {
  const Expr rate = 1 / a[1];
  return within(a[0], a[2], a[3], exp(-rate * (a[0] - a[2])) * exp(-log_norm(a, rate)));
}

Expr log_value(std::span<const Expr> a) {
  const Expr rate = 1 / a[1];
  return log_within(a[0], a[2], a[3], -rate * (a[0] - a[2]) - log_norm(a, rate));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr rate = 1 / a[1];
  const Expr from = clamped(lower, a[2], a[3]);
  const Expr to = clamped(upper, a[2], a[3]);
  return exp(-rate * (from - a[2]) - log_norm(a, rate)) * mass_of_decay(rate, to - from);
}

}  // namespace

const ModelFunction& truncexpon_function();
const ModelFunction& truncexpon_function() {
  static const ModelFunction kTruncexpon{
      .name = "truncexpon",
      .arguments = {"x", "scale", "lower", "upper"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula = R"(\frac{e^{-(x-a)/\tau}}{\tau(1-e^{-(b-a)/\tau})},\quad a\le x\le b)",
      .source = "normalisation by elementary integration",
      .summary = "Exponential on [lower, upper] by its scale tau; tau > 0, below 0 it rises"};
  return kTruncexpon;
}

}  // namespace weir::model
