#include "weir/model/density/exponential_mass.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

/// The end at which the density is largest: exp() of the distance from it never overflows.
Expr steep_end(std::span<const Expr> a) {
  return select(less(a[1], 0), a[3], a[2]);
}

Expr log_norm(std::span<const Expr> a) {
  const Expr width = a[3] - a[2];
  return log(width) + log_mean_of_decay(abs(a[1]) * width);
}

Expr value(std::span<const Expr> a) {
  return within(a[0], a[2], a[3], exp(-a[1] * (a[0] - steep_end(a))) * exp(-log_norm(a)));
}

Expr log_value(std::span<const Expr> a) {
  return log_within(a[0], a[2], a[3], -a[1] * (a[0] - steep_end(a)) - log_norm(a));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr from = clamped(lower, a[2], a[3]);
  const Expr to = clamped(upper, a[2], a[3]);
  const Expr nearest = select(less(a[1], 0), to, from);
  return exp(-a[1] * (nearest - steep_end(a)) - log_norm(a)) * mass_of_decay(abs(a[1]), to - from);
}

}  // namespace

const ModelFunction& truncated_exponential_function();
const ModelFunction& truncated_exponential_function() {
  static const ModelFunction kTruncatedExponential{
      .name = "truncated_exponential",
      .arguments = {"x", "lambda", "lower", "upper"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula = R"(\frac{\lambda e^{-\lambda(x-a)}}{1-e^{-\lambda(b-a)}},\quad a\le x\le b)",
      .source = "normalisation by elementary integration",
      .summary = "Exponential on [lower, upper], lambda a rate of any sign; 0 is uniform"};
  return kTruncatedExponential;
}

}  // namespace weir::model
