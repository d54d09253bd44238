#include <cmath>
#include <numbers>

#include "weir/model/density/stirling.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kHalfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);

/// The binomial form: deviances from the mean instead of powers times a large normalisation.
Expr log_value(std::span<const Expr> a) {
  const Expr in_range = logical_and(less(0, a[0]), less(a[0], 1));
  const Expr x = select(in_range, a[0], 0.5);
  const Expr sum = a[1] + a[2];
  const Expr from_mean = half_deviance(a[1], sum * x) + half_deviance(a[2], sum * (1 - x));
  const Expr rests = stirling_rest(sum) - stirling_rest(a[1]) - stirling_rest(a[2]);
  const Expr norm = 0.5 * (log(a[1]) + log(a[2]) - log(sum)) - kHalfLogTwoPi + rests;
  const Expr inside = norm - from_mean - (log(x) + log1p(-x));
  return select(in_range, inside, -infinity());
}

Expr value(std::span<const Expr> a) {
  return exp(log_value(a));
}

}  // namespace

const ModelFunction& beta_function();
const ModelFunction& beta_function() {
  static const ModelFunction kBeta{.name = "beta",
                                   .arguments = {"x", "a", "b"},
                                   .value = &value,
                                   .log_value = &log_value,
                                   .integral = nullptr,
                                   .formula = R"(\frac{x^{a-1}(1-x)^{b-1}}{B(a,b)},\quad 0<x<1)",
                                   .source = "PDG review Probability; DLMF 5.12",
                                   .summary = "Beta distribution; a, b > 0"};
  return kBeta;
}

}  // namespace weir::model
