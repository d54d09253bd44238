#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

/// The integral of 1 + c1 x + c2 x^2 + ... from `from` to `to`, from differences of powers by the
/// length of the range: nothing cancels in narrow ranges.
Expr mass(std::span<const Expr> a, const Expr& from, const Expr& to) {
  Expr power_of_from = 1;
  Expr quotient = 1;  // (to^(k+1) - from^(k+1)) / (to - from)
  Expr sum = 1;
  for (std::size_t k = 1; k + 2 < a.size(); ++k) {
    power_of_from = power_of_from * from;
    quotient = quotient * to + power_of_from;
    sum = sum + a[k + 2] * quotient * (1.0 / static_cast<double>(k + 1));
  }
  return sum * (to - from);
}

Expr value(std::span<const Expr> a) {
  Expr sum = a.back();
  for (std::size_t k = a.size() - 2; k > 2; --k) {
    sum = sum * a[0] + a[k];
  }
  return within(a[0], a[1], a[2], (sum * a[0] + 1) * (1 / mass(a, a[1], a[2])));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr from = clamped(lower, a[1], a[2]);
  const Expr to = clamped(upper, a[1], a[2]);
  return mass(a, from, to) / mass(a, a[1], a[2]);
}

}  // namespace

const ModelFunction& polynomial_function();
const ModelFunction& polynomial_function() {
  static const ModelFunction kPolynomial{
      .name = "polynomial",
      .arguments = {"x", "lower", "upper", "c"},
      .value = &value,
      .log_value = nullptr,
      .integral = &integral,
      .formula = R"(\frac{1+\sum_k c_k x^k}{\int_a^b(1+\sum_k c_k t^k)dt},\quad a\le x\le b)",
      .source = "elementary",
      .summary =
          "Polynomial on [lower, upper] with constant term 1, any number of coefficients c1, c2, "
          "...",
      .repeats_last = true};
  return kPolynomial;
}

}  // namespace weir::model
