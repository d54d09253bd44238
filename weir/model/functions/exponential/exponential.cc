#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

Expr value(std::span<const Expr> a) {
  return select(less(a[0], 0), 0, exp(-a[1] * a[0]) * a[1]);
}

Expr log_value(std::span<const Expr> a) {
  return select(less(a[0], 0), -infinity(), log(a[1]) - a[1] * a[0]);
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr from = max(lower, 0);
  const Expr to = max(upper, from);
  const Expr beyond = exp(-a[1] * from);
  // An infinite end has no derivative by lambda.
  return select(less(to, infinity()), beyond * -expm1(a[1] * (from - to)), beyond);
}

}  // namespace

const ModelFunction& exponential_function();
const ModelFunction& exponential_function() {
  static const ModelFunction kExponential{
      .name = "exponential",
      .arguments = {"x", "lambda"},
      .value = &value,
      .log_value = &log_value,
      .integral = &integral,
      .formula = R"(\lambda e^{-\lambda x},\quad x\ge 0)",
      .source = "PDG review Probability",
      .summary = "Exponential decay from 0 on, lambda a rate; lambda > 0"};
  return kExponential;
}

}  // namespace weir::model
