#include <cmath>
#include <numbers>

#include "weir/signal/linear_system.h"
#include "weir/signal/ops/fir/fir_optimal.h"

namespace weir::signal {
namespace {
/// The integral of cos(pi n f) from 0 to `edge`.
double integral(double edge, double n) {
  return n == 0 ? edge : std::sin(std::numbers::pi * n * edge) / (std::numbers::pi * n);
}

/// The integral over the bands of cos(pi n f), times the weight, and the gain where wanted.
double over_bands(const FirGoal& goal, double n, bool with_gain) {
  double sum = 0;
  for (std::size_t b = 0; b < goal.gains.size(); ++b) {
    const double part = integral(goal.edges[2 * b + 1], n) - integral(goal.edges[2 * b], n);
    sum += goal.weights[b] * (with_gain ? goal.gains[b] : 1) * part;
  }
  return sum;
}

/// Solves a x = b in place by Cholesky; false where `a` is not positive definite.
bool solve(SquareMatrix& a, std::vector<double>& b) {
  const std::size_t size = a.size();
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = j; i < size; ++i) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) {
        sum -= a(i, k) * a(j, k);
      }
      if (i == j && !(sum > 0)) {
        return false;
      }
      a(i, j) = i == j ? std::sqrt(sum) : sum / a(j, j);
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      b[i] -= a(i, k) * b[k];
    }
    b[i] /= a(i, i);
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) {
      b[i] -= a(k, i) * b[k];
    }
    b[i] /= a(i, i);
  }
  return true;
}
}  // namespace

std::vector<double> least_squares_fir(const FirGoal& goal, std::int64_t length) {
  const auto half = static_cast<std::size_t>(length / 2);
  std::vector<double> q;
  for (std::size_t n = 0; n <= 2 * half; ++n) {
    q.push_back(over_bands(goal, static_cast<double>(n), false));
  }
  // Where the bands leave much out, long filters that differ only there are alike, and the matrix
  // is singular to the last bit: among them, one of small taps.
  double extra = 0;
  std::vector<double> a;
  bool solved = false;
  while (!solved) {
    SquareMatrix matrix(half + 1);
    a.clear();
    for (std::size_t i = 0; i <= half; ++i) {
      a.push_back(over_bands(goal, static_cast<double>(i), true));
      for (std::size_t j = 0; j <= half; ++j) {
        matrix(i, j) = q[i > j ? i - j : j - i] + q[i + j] + (i == j ? extra : 0);
      }
    }
    solved = solve(matrix, a);
    extra = extra == 0 ? 1e-15 * static_cast<double>(half + 1) * q[0] : 10 * extra;
  }
  std::vector<double> taps(static_cast<std::size_t>(length));
  for (std::size_t n = 0; n <= half; ++n) {
    taps[half - n] = taps[half + n] = n == 0 ? 2 * a[0] : a[n];
  }
  return taps;
}

}  // namespace weir::signal
