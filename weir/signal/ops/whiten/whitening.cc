#include <Eigen/Eigenvalues>
#include <algorithm>

#include "weir/signal/ops/whiten/whiten.h"

namespace weir::signal {
namespace {
using Square = Eigen::MatrixXd;

/// The eigenvectors of a covariance, and what each is multiplied by to have the variance 1.
struct Scaled {
  Square vectors;  ///< Columns; the weakest first.
  Eigen::VectorXd factors;
};

Scaled scaled_vectors(const Square& covariance, double eps) {
  const Eigen::SelfAdjointEigenSolver<Square> solver(covariance);
  // Rounding leaves eigenvalues that should be 0 on either side of it.
  const Eigen::VectorXd strengths = solver.eigenvalues().cwiseMax(0.0);
  const double least = eps * strengths.mean();
  const Eigen::VectorXd factors = strengths.unaryExpr([least](double strength) {
    return strength + least > 0 ? 1 / std::sqrt(strength + least) : 0.0;
  });
  return {solver.eigenvectors(), factors};
}

/// The rows and columns of `which`.
Square part_of(const Covariance& covariance, std::size_t channels,
               const std::vector<std::int64_t>& which) {
  const auto side = static_cast<Eigen::Index>(which.size());
  Square part(side, side);
  for (Eigen::Index i = 0; i < side; ++i) {
    for (Eigen::Index j = 0; j < side; ++j) {
      part(i, j) = covariance.values[static_cast<std::size_t>(which[i]) * channels +
                                     static_cast<std::size_t>(which[j])];
    }
  }
  return part;
}

/// Those of a set that change.
std::vector<std::int64_t> alive(const std::vector<std::int64_t>& set, const Covariance& covariance,
                                std::size_t channels) {
  std::vector<std::int64_t> kept;
  std::copy_if(set.begin(), set.end(), std::back_inserter(kept), [&](std::int64_t c) {
    return covariance.values[static_cast<std::size_t>(c) * (channels + 1)] > 0;
  });
  return kept;
}

/// U (.)^-1/2 U', or (.)^-1/2 U' with the strongest component first, its largest weight positive.
Square whitening(const Square& covariance, const Whiten& params) {
  const Scaled scaled = scaled_vectors(covariance, params.eps);
  if (params.method == WhitenMethod::zca) {
    return scaled.vectors * scaled.factors.asDiagonal() * scaled.vectors.transpose();
  }
  Square rows = scaled.factors.asDiagonal() * scaled.vectors.transpose();
  rows = rows.colwise().reverse().eval();
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    Eigen::Index largest = 0;
    rows.row(r).cwiseAbs().maxCoeff(&largest);
    if (rows(r, largest) < 0) {
      rows.row(r) = -rows.row(r);
    }
  }
  return rows;
}
}  // namespace

std::vector<double> whitening_matrix(const Whiten& params, const WhitenPlan& plan,
                                     const Covariance& covariance) {
  const std::size_t channels = plan.channels.size();
  std::vector<double> weights(channels * channels, 0.0);
  const auto place = [&](std::size_t row, const std::vector<std::int64_t>& set, const auto& from) {
    for (std::size_t j = 0; j < set.size(); ++j) {
      weights[row * channels + static_cast<std::size_t>(set[j])] =
          from(static_cast<Eigen::Index>(j));
    }
  };
  if (params.mode == WhitenMode::global) {
    const auto set = alive(plan.sets[0], covariance, channels);
    const Square rows = whitening(part_of(covariance, channels, set), params);
    for (std::size_t r = 0; r < set.size(); ++r) {
      const bool zca = params.method == WhitenMethod::zca;
      place(zca ? static_cast<std::size_t>(set[r]) : r, set,
            rows.row(static_cast<Eigen::Index>(r)));
    }
    return weights;
  }
  for (std::size_t c = 0; c < channels; ++c) {
    const auto set = alive(plan.sets[c], covariance, channels);
    const auto own = std::find(set.begin(), set.end(), static_cast<std::int64_t>(c));
    if (own != set.end()) {
      const Square rows = whitening(part_of(covariance, channels, set), params);
      place(c, set, rows.row(own - set.begin()));
    }
  }
  return weights;
}

}  // namespace weir::signal
