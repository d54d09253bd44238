#include "weir/model/density/stirling.h"
#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

Expr log_value(std::span<const Expr> a) {
  const Expr x = select(less(0, a[0]), a[0], 1);
  const Expr inside = log_poisson(a[1], x * (1 / a[2])) + (log(a[1]) - log(x));
  const Expr at_zero =
      select(equal(a[1], 1), -log(a[2]), select(less(a[1], 1), infinity(), -infinity()));
  return select(less(0, a[0]), inside, select(equal(a[0], 0), at_zero, -infinity()));
}

Expr value(std::span<const Expr> a) {
  return exp(log_value(a));
}

}  // namespace

const ModelFunction& gamma_function();
const ModelFunction& gamma_function() {
  static const ModelFunction kGamma{
      .name = "gamma",
      .arguments = {"x", "k", "theta"},
      .value = &value,
      .log_value = &log_value,
      .integral = nullptr,
      .formula = R"(\frac{x^{k-1}e^{-x/\theta}}{\Gamma(k)\theta^k},\quad x>0)",
      .source =
          "PDG review Probability; C. Loader, Fast and accurate computation of binomial "
          "probabilities (2000)",
      .summary = "Gamma distribution with scale theta; k, theta > 0"};
  return kGamma;
}

}  // namespace weir::model
