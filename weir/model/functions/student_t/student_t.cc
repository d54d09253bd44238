#include <cmath>
#include <numbers>

#include "weir/model/density/stirling.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kHalfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);

/// ln(Gamma((nu + 1)/2) / (Gamma(nu/2) sqrt(pi nu))) by Stirling's formula and its rests, whose
/// large parts cancel exactly.
Expr log_norm(const Expr& nu) {
  const Expr z = 0.5 * nu;
  const Expr rests = stirling_rest(z + 0.5) - stirling_rest(z);
  return z * log1p(1 / nu) - 0.5 - kHalfLogTwoPi + rests;
}

Expr log_value(std::span<const Expr> a) {
  const Expr t = (a[0] - a[1]) * (1 / a[2]);
  return (log_norm(a[3]) - log(a[2])) - 0.5 * (a[3] + 1) * log1p(t * t * (1 / a[3]));
}

Expr value(std::span<const Expr> a) {
  return exp(log_value(a));
}

}  // namespace

const ModelFunction& student_t_function();
const ModelFunction& student_t_function() {
  static const ModelFunction kStudentT{
      .name = "student_t",
      .arguments = {"x", "mu", "sigma", "nu"},
      .value = &value,
      .log_value = &log_value,
      .integral = nullptr,
      .formula =
          R"(\frac{\Gamma(\frac{\nu+1}2)}{\Gamma(\frac\nu2)\sqrt{\pi\nu}\,\sigma}\left(1+\frac{(x-\mu)^2}{\nu\sigma^2}\right)^{-\frac{\nu+1}2})",
      .source = "PDG review Probability",
      .summary = "Student t; sigma, nu > 0"};
  return kStudentT;
}

}  // namespace weir::model
