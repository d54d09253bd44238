#include "weir/model/density/power_tail.h"

#include "weir/model/density/support.h"
#include "weir/model/expr/operations.h"

namespace weir::model {

Expr log_power_tail(const Expr& s, const Expr& alpha, const Expr& n) {
  return -0.5 * (alpha * alpha) - n * log1p((alpha / n) * (s - alpha));
}

Expr power_tail_mass(const Expr& near, const Expr& far, const Expr& alpha, const Expr& n) {
  const Expr per_width = alpha / n;
  const Expr start = 1 + per_width * (near - alpha);
  const Expr beyond = exp(-0.5 * (alpha * alpha) + (1 - n) * log(start)) / (per_width * (n - 1));
  const Expr ends = less(far, infinity());
  const Expr ratio = log1p(per_width * (select(ends, far, near) - near) / start);
  return select(ends, beyond * -expm1((1 - n) * ratio), beyond);
}

}  // namespace weir::model
