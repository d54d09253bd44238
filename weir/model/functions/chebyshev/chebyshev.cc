#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

/// x in units in which the range is [-1, 1].
Expr scaled(const Expr& x, std::span<const Expr> a) {
  return ((x - a[1]) - (a[2] - x)) * (1 / (a[2] - a[1]));
}

/// The antiderivative of 1 + c1 T1(u) + c2 T2(u) + ...
Expr antiderivative(std::span<const Expr> a, const Expr& u) {
  Expr before = 1;
  Expr here = u;
  Expr sum = u;
  for (std::size_t k = 1; k + 2 < a.size(); ++k) {
    const Expr after = 2 * (u * here) - before;  // T(k + 1)
    const double up = 0.5 / static_cast<double>(k + 1);
    const Expr part =
        k == 1 ? up * after : up * after - (0.5 / static_cast<double>(k - 1)) * before;
    sum = sum + a[k + 2] * part;
    before = here;
    here = after;
  }
  return sum;
}

/// The integral of the sum over [-1, 1]: even T alone count.
Expr mass(std::span<const Expr> a) {
  Expr sum = 2;
  for (std::size_t k = 2; k + 2 < a.size(); k += 2) {
    const auto order = static_cast<double>(k);
    sum = sum + a[k + 2] * (2 / (1 - order * order));
  }
  return sum;
}

Expr value(std::span<const Expr> a) {
  const Expr u = scaled(a[0], a);
  const Expr twice = 2 * u;
  Expr later = 0;
  Expr sum = a.back();
  for (std::size_t k = a.size() - 2; k > 2; --k) {
    const Expr next = twice * sum + (a[k] - later);
    later = sum;
    sum = next;
  }
  return within(a[0], a[1], a[2], (u * sum + (1 - later)) * (2 / ((a[2] - a[1]) * mass(a))));
}

Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr from = scaled(clamped(lower, a[1], a[2]), a);
  const Expr to = scaled(clamped(upper, a[1], a[2]), a);
  return (antiderivative(a, to) - antiderivative(a, from)) / mass(a);
}

}  // namespace

const ModelFunction& chebyshev_function();
const ModelFunction& chebyshev_function() {
  static const ModelFunction kChebyshev{
      .name = "chebyshev",
      .arguments = {"x", "lower", "upper", "c"},
      .value = &value,
      .log_value = nullptr,
      .integral = &integral,
      .formula =
          R"(\frac{1+\sum_k c_k T_k(u)}{\int_a^b(1+\sum_k c_k T_k)dx},\quad u=\frac{2x-a-b}{b-a},\ a\le x\le b)",
      .source = "DLMF 18.3; Clenshaw, MTAC 9 (1955) 118",
      .summary =
          "Chebyshev series on [lower, upper] with constant term 1, any number of coefficients c1, "
          "c2, ...",
      .repeats_last = true};
  return kChebyshev;
}

}  // namespace weir::model
