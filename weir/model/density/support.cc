#include "weir/model/density/support.h"

#include <limits>

#include "weir/model/expr/operations.h"

namespace weir::model {

Expr infinity() {
  return constant(std::numeric_limits<double>::infinity());
}

Expr clamped(const Expr& x, const Expr& a, const Expr& b) {
  return min(max(x, a), b);
}

Expr within(const Expr& x, const Expr& lower, const Expr& upper, const Expr& value) {
  return select(logical_and(less_equal(lower, x), less_equal(x, upper)), value, 0);
}

Expr log_within(const Expr& x, const Expr& lower, const Expr& upper, const Expr& log_value) {
  return select(logical_and(less_equal(lower, x), less_equal(x, upper)), log_value, -infinity());
}

}  // namespace weir::model
