#include "weir/model/density/stirling.h"

#include <cmath>
#include <numbers>

#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {
const double kHalfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);
}

Expr stirling_rest(const Expr& z) {
  constexpr double kTerms[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188};
  const Expr inverse = 1 / z;
  const Expr square = inverse * inverse;
  Expr series = kTerms[4];
  for (int i = 3; i >= 0; --i) {
    series = series * square + kTerms[i];
  }
  const Expr direct = lgamma(z) - ((z - 0.5) * log(z) - z + kHalfLogTwoPi);
  return select(less(z, 16), direct, series * inverse);
}

Expr half_deviance(const Expr& n, const Expr& mean) {
  // (n - m) v + 2 n (v^3/3 + v^5/5 + ...), v = (n - m)/(n + m): nine terms where |v| < 1/10.
  const Expr v = (n - mean) / (n + mean);
  const Expr square = v * v;
  Expr series = 1.0 / 19;
  for (int i = 17; i >= 3; i -= 2) {
    series = series * square + 1.0 / i;
  }
  const Expr near = (n - mean) * v + 2 * (n * v) * (square * series);
  return select(less(square, 0.01), near, (mean - n) - n * log(mean / n));
}

Expr log_poisson(const Expr& n, const Expr& mean) {
  return -half_deviance(n, mean) - (0.5 * log(n) + kHalfLogTwoPi + stirling_rest(n));
}

}  // namespace weir::model
