#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

Expr value(std::span<const Expr> a) {
  return within(a[0], a[1], a[2], 1 / (a[2] - a[1]));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  return (clamped(upper, a[1], a[2]) - clamped(lower, a[1], a[2])) / (a[2] - a[1]);
}

}  // namespace

const ModelFunction& uniform_function();
const ModelFunction& uniform_function() {
  static const ModelFunction kUniform{.name = "uniform",
                                      .arguments = {"x", "lower", "upper"},
                                      .value = &value,
                                      .log_value = nullptr,
                                      .integral = &integral,
                                      .formula = R"(\frac{1}{b-a},\quad a\le x\le b)",
                                      .source = "PDG review Probability, table 39.1",
                                      .summary = "Uniform on [lower, upper]"};
  return kUniform;
}

}  // namespace weir::model
