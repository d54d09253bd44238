#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weir/core/error.h"
#include "weir/signal/ops/fir/fir_optimal.h"

namespace weir::signal {
namespace {
constexpr int kDensity = 64;  ///< Points of the grid for each extremum; SciPy has 16.
constexpr int kMostRounds = 200;

/// Frequencies at which the error is looked at.
struct Grid {
  std::vector<double> x;  ///< cos(pi f)
  std::vector<double> gain;
  std::vector<double> weight;
  std::vector<bool> first;  ///< Of its band.
};

Grid grid_of(const FirGoal& goal, std::int64_t extrema) {
  Grid grid;
  for (std::size_t b = 0; b < goal.gains.size(); ++b) {
    const double low = goal.edges[2 * b];
    const double high = goal.edges[2 * b + 1];
    const double steps =
        std::max(2.0, std::ceil((high - low) * kDensity * static_cast<double>(extrema)));
    for (double i = 0; i <= steps; ++i) {
      grid.x.push_back(std::cos(std::numbers::pi * (low + (high - low) * i / steps)));
      grid.gain.push_back(goal.gains[b]);
      grid.weight.push_back(goal.weights[b]);
      grid.first.push_back(i == 0);
    }
  }
  return grid;
}

/// The polynomial in x that is off by +-`ripple` / weight at its nodes in turn.
class Polynomial {
 public:
  Polynomial(const Grid& grid, const std::vector<std::size_t>& nodes) {
    for (const std::size_t node : nodes) {
      x_.push_back(grid.x[node]);
    }
    weigh();
    double above = 0;
    double below = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const double sign = k % 2 == 0 ? 1 : -1;
      above += weights_[k] * grid.gain[nodes[k]];
      below += sign * weights_[k] / grid.weight[nodes[k]];
    }
    ripple_ = above / below;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const double sign = k % 2 == 0 ? 1 : -1;
      values_.push_back(grid.gain[nodes[k]] - sign * ripple_ / grid.weight[nodes[k]]);
    }
  }

  double ripple() const noexcept { return ripple_; }

  /// Source: Berrut & Trefethen 2004, eq. 4.2 (barycentric).
  double at(double x) const noexcept {
    double above = 0;
    double below = 0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      if (x == x_[k]) {
        return values_[k];
      }
      const double part = weights_[k] / (x - x_[k]);
      above += part * values_[k];
      below += part;
    }
    return above / below;
  }

 private:
  /// 1 / prod(x_k - x_j): by logarithms, since the products of long filters leave the range.
  void weigh() {
    std::vector<double> sizes;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      double size = 0;
      double sign = 1;
      for (std::size_t j = 0; j < x_.size(); ++j) {
        const double apart = j == k ? 1 : x_[k] - x_[j];
        size -= std::log(std::fabs(apart));
        sign = apart < 0 ? -sign : sign;
      }
      sizes.push_back(size);
      weights_.push_back(sign);
    }
    const double most = *std::max_element(sizes.begin(), sizes.end());
    for (std::size_t k = 0; k < x_.size(); ++k) {
      weights_[k] *= std::exp(sizes[k] - most);
    }
  }

  std::vector<double> x_;
  std::vector<double> weights_;
  std::vector<double> values_;
  double ripple_ = 0;
};

/// Where the error is largest between changes of its sign: `count` of them, or fewer if there are.
std::vector<std::size_t> extrema(const Grid& grid, const std::vector<double>& error,
                                 std::size_t count) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const bool begins = grid.first[i];
    const bool ends = i + 1 == error.size() || grid.first[i + 1];
    const double size = std::fabs(error[i]);
    const double sign = error[i] < 0 ? -1 : 1;
    if ((!begins && sign * error[i - 1] > size) || (!ends && sign * error[i + 1] > size)) {
      continue;
    }
    if (!found.empty() && error[found.back()] * error[i] >= 0) {
      if (size > std::fabs(error[found.back()])) {
        found.back() = i;
      }
    } else {
      found.push_back(i);
    }
  }
  while (found.size() > count) {
    const bool front = std::fabs(error[found.front()]) < std::fabs(error[found.back()]);
    found.erase(front ? found.begin() : found.end() - 1);
  }
  return found;
}

/// Taps of a filter whose response is known at its `length` frequencies.
std::vector<double> sampled(const Polynomial& response, std::int64_t length) {
  const std::int64_t half = length / 2;
  const double turn = 2 * std::numbers::pi / static_cast<double>(length);
  std::vector<double> values;
  for (std::int64_t k = 0; k <= half; ++k) {
    values.push_back(response.at(std::cos(turn * static_cast<double>(k))));
  }
  std::vector<double> taps(static_cast<std::size_t>(length));
  for (std::int64_t n = 0; n <= half; ++n) {
    double sum = values[0];
    for (std::int64_t k = 1; k <= half; ++k) {
      sum += 2 * values[static_cast<std::size_t>(k)] *
             std::cos(turn * static_cast<double>(k * n % length));
    }
    taps[static_cast<std::size_t>(half - n)] = taps[static_cast<std::size_t>(half + n)] =
        sum / static_cast<double>(length);
  }
  return taps;
}
}  // namespace

std::vector<double> equiripple_fir(const FirGoal& goal, std::int64_t length) {
  const auto count = static_cast<std::size_t>(length / 2 + 2);
  const Grid grid = grid_of(goal, static_cast<std::int64_t>(count));
  std::vector<std::size_t> nodes;
  nodes.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    nodes.push_back(k * (grid.x.size() - 1) / (count - 1));
  }
  std::vector<double> error(grid.x.size());
  for (int round = 0; round < kMostRounds; ++round) {
    const Polynomial response(grid, nodes);
    double largest = 0;
    for (std::size_t i = 0; i < error.size(); ++i) {
      error[i] = grid.weight[i] * (grid.gain[i] - response.at(grid.x[i]));
      largest = std::max(largest, std::fabs(error[i]));
    }
    if (largest - std::fabs(response.ripple()) <= 1e-9 * largest + 1e-15) {
      return sampled(response, length);
    }
    nodes = extrema(grid, error, count);
    if (nodes.size() < count) {
      break;
    }
  }
  throw Error(
      ErrorCode::invalid_spec,
      fmt::format("length: no equiripple filter of {} taps was found for these bands; fewer "
                  "taps or wider transitions may do",
                  length));
}

}  // namespace weir::signal
