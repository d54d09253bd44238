#include "weir/model/expr/gauss_legendre.h"

#include <cmath>
#include <numbers>

#include "weir/core/error.h"

namespace weir::model {
namespace {

struct Legendre {
  double value;
  double slope;
};

Legendre legendre(int degree, double x) {
  double before = 1.0;
  double value = x;
  for (int k = 2; k <= degree; ++k) {
    const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  return {value, degree * (x * value - before) / (x * x - 1)};
}

}  // namespace

QuadratureRule gauss_legendre(int points) {
  WEIR_CHECK(points >= 1 && points <= 256);
  QuadratureRule rule{std::vector<double>(static_cast<std::size_t>(points)),
                      std::vector<double>(static_cast<std::size_t>(points))};
  if (points == 1) {
    return {{0.0}, {2.0}};
  }
  for (int i = 0; i < (points + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5));
    for (int round = 0; round < 20; ++round) {
      const Legendre at = legendre(points, x);
      const double step = at.value / at.slope;
      x -= step;
      if (std::fabs(step) < 1e-16) {
        break;
      }
    }
    if (2 * i + 1 == points) {
      x = 0.0;
    }
    const double slope = legendre(points, x).slope;
    const double weight = 2 / ((1 - x) * (1 + x) * slope * slope);
    const auto low = static_cast<std::size_t>(i);
    const auto high = static_cast<std::size_t>(points - 1 - i);
    rule.nodes[low] = -x;
    rule.nodes[high] = x;
    rule.weights[low] = weight;
    rule.weights[high] = weight;
  }
  return rule;
}

}  // namespace weir::model
