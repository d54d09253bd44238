#include "weir/model/density/stirling.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

Expr log_value(std::span<const Expr> a) {
  const Expr positive = less(0, a[0]);
  // Elsewhere some count for which nothing is infinite.
  const Expr counted = select(positive, log_poisson(select(positive, a[0], 1), a[1]), -infinity());
  return select(equal(a[0], 0), -a[1], counted);
}

Expr value(std::span<const Expr> a) {
  return exp(log_value(a));
}

}  // namespace

const ModelFunction& poisson_function();
const ModelFunction& poisson_function() {
  static const ModelFunction kPoisson{
      .name = "poisson",
      .arguments = {"x", "mu"},
      .value = &value,
      .log_value = &log_value,
      .integral = nullptr,
      .formula = R"(\frac{\mu^x e^{-\mu}}{\Gamma(x+1)},\quad x\ge 0)",
      .source =
          "PDG review Probability; C. Loader, Fast and accurate computation of binomial "
          "probabilities (2000)",
      .summary = "Poisson probability of a count x, continued between integers; mu >= 0"};
  return kPoisson;
}

}  // namespace weir::model
