#pragma once

#include <vector>

namespace weir::model {

/// Nodes and weights of a rule on [-1, 1].
struct QuadratureRule {
  std::vector<double> nodes;
  std::vector<double> weights;
};

/// Gauss and Legendre's rule of `points` points, 1 to 256: the zeros of the Legendre polynomial by
/// Newton's iteration from Tricomi's estimate (Abramowitz and Stegun 22.16.6, 25.4.29), accurate to
/// some units of the last place.
QuadratureRule gauss_legendre(int points);

}  // namespace weir::model
