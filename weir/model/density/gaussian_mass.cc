#include "weir/model/density/gaussian_mass.h"

#include <cmath>
#include <numbers>

#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kOneOverRootTwo = 1 / std::sqrt(2.0);

/// log of the integral from a to b, 0 < a <= b: the larger of both exponentials is taken out.
Expr log_mass_of_tail(const Expr& a, const Expr& b) {
  const Expr near = a * kOneOverRootTwo;
  const Expr far = b * kOneOverRootTwo;
  // (far - near)(far + near) is infinite where b is, and then far's part is 0.
  const Expr rest = exp((near - far) * (near + far)) * erfcx(far);
  return log(0.5 * (erfcx(near) - rest)) - near * near;
}

}  // namespace

Expr gaussian_mass(const Expr& a, const Expr& b) {
  const Expr u = a * kOneOverRootTwo;
  const Expr v = b * kOneOverRootTwo;
  const Expr right = erfc(u) - erfc(v);
  const Expr left = erfc(-v) - erfc(-u);
  return 0.5 * select(less(0, u), right, select(less(v, 0), left, erf(v) - erf(u)));
}

Expr log_gaussian_mass(const Expr& a, const Expr& b) {
  return select(less(1, a), log_mass_of_tail(a, b),
                select(less(b, -1), log_mass_of_tail(-b, -a), log(gaussian_mass(a, b))));
}

}  // namespace weir::model
