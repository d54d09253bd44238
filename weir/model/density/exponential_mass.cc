#include "weir/model/density/exponential_mass.h"

#include "weir/model/density/support.h"
#include "weir/model/expr/operations.h"

namespace weir::model {

Expr log_mean_of_decay(const Expr& u) {
  // log(sinh(u/2) / (u/2)) in u^2; the next term is below 1e-18 where |u| < 1/2.
  constexpr double kTerms[] = {1.0 / 24,       -1.0 / 2880,     1.0 / 181440,
                               -1.0 / 9676800, 1.0 / 479001600, -691.0 / 15692092416000.0};
  const Expr square = u * u;
  Expr series = kTerms[5];
  for (int i = 4; i >= 0; --i) {
    series = series * square + kTerms[i];
  }
  const Expr near = less(square, 0.25);
  const Expr away = select(near, 1, u);
  return select(near, series * square - 0.5 * u, log(-expm1(-away) / away));
}

Expr mass_of_decay(const Expr& rate, const Expr& length) {
  const Expr ends = less(length, infinity());
  const Expr finite = select(ends, length, 1);
  return select(ends, finite * exp(log_mean_of_decay(rate * finite)), 1 / select(ends, 1, rate));
}

}  // namespace weir::model
