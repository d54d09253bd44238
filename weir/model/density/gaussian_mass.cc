#include "weir/model/density/gaussian_mass.h"

#include <cmath>

#include "weir/model/density/support.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kOneOverRootTwo = 1 / std::sqrt(2.0);
constexpr double kNothingBeyond = 30;  // erfc(30) is 0

/// For 0 < a <= b: exp(a^2/2) taken out of both complements.
Expr log_scaled_mass_of_tail(const Expr& a, const Expr& b) {
  const Expr near = a * kOneOverRootTwo;
  const Expr far = min(b * kOneOverRootTwo, near + kNothingBeyond);
  return log(0.5 * (erfcx(near) - exp((near - far) * (near + far)) * erfcx(far)));
}

}  // namespace

Expr gaussian_mass(const Expr& a, const Expr& b) {
  // Infinite ends become large ones: derivatives of any order are 0 there.
  const Expr u = clamped(a * kOneOverRootTwo, -kNothingBeyond, kNothingBeyond);
  const Expr v = clamped(b * kOneOverRootTwo, -kNothingBeyond, kNothingBeyond);
  const Expr right = erfc(u) - erfc(v);
  const Expr left = erfc(-v) - erfc(-u);
  return 0.5 * select(less(0, u), right, select(less(v, 0), left, erf(v) - erf(u)));
}

Expr log_scaled_gaussian_mass(const Expr& a, const Expr& b) {
  // Each branch sees ends for which it is made.
  const Expr right = less(1, a);
  const Expr left = less(b, -1);
  const Expr middle = logical_not(logical_or(right, left));
  const Expr nearest = clamped(0, a, b);
  const Expr mass = gaussian_mass(select(middle, a, 0), select(middle, b, 1));
  const Expr of_right = log_scaled_mass_of_tail(select(right, a, 1), select(right, b, 2));
  const Expr of_left = log_scaled_mass_of_tail(select(left, -b, 1), select(left, -a, 2));
  return select(right, of_right, select(left, of_left, log(mass) + 0.5 * (nearest * nearest)));
}

}  // namespace weir::model
