#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "weir/fit/valley_internal.h"

namespace weir::fit {
namespace {
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
// Nearer to its bound than this share of its error, and drawn towards it: the bound stops it.
constexpr double kAtBound = 1e-3;
// Eigenvalues of the matrix with ones on its diagonal below this share of the largest are rounding.
constexpr double kFlat = 1e-10;
constexpr double kForced = 1e-3;

struct Bound {
  bool stops = false;
  double at = 0;
};

Bound bound_of(const FreeParameter& parameter, double value, double slope, double curvature,
               double rise) {
  const double error = curvature > 0 ? std::sqrt(2 * rise / curvature) : 0;
  // The parabola's minimum lies beyond, and what is left until the bound is little: of an error, or
  // of the function, as a minimiser that works with a transformation never touches the bound.
  const auto near = [&](double distance) {
    return std::abs(slope) >= curvature * distance &&
           (distance <= kAtBound * error || distance * std::abs(slope) <= kAtBound * rise);
  };
  if (parameter.lower && slope > 0 && near(value - *parameter.lower)) {
    return {true, *parameter.lower};
  }
  if (parameter.upper && slope < 0 && near(*parameter.upper - value)) {
    return {true, *parameter.upper};
  }
  return {};
}

std::string names_of(std::span<const FreeParameter> parameters, const std::vector<Index>& open,
                     const VectorXd& direction) {
  std::string names;
  for (Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction(i)) > 0.3 * direction.cwiseAbs().maxCoeff()) {
      names += (names.empty() ? "" : ", ") + parameters[static_cast<std::size_t>(open[i])].name;
    }
  }
  return names;
}

/// `hessian` made a valley where it is none, as MINUIT does: enough is added to the diagonal of the
/// matrix scaled to ones.
MatrixXd positive(const MatrixXd& hessian, std::span<const FreeParameter> parameters,
                  const std::vector<Index>& open, Valley& valley) {
  VectorXd scale(hessian.rows());
  for (Index i = 0; i < scale.size(); ++i) {
    scale(i) = std::sqrt(std::abs(hessian(i, i)));
    if (!(scale(i) > 0)) {
      valley.status = CovarianceStatus::not_positive_definite;
      valley.problem = fmt::format("the function does not depend on {} there",
                                   parameters[static_cast<std::size_t>(open[i])].name);
      return {};
    }
  }
  const MatrixXd scaled =
      scale.cwiseInverse().asDiagonal() * hessian * scale.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scaled);
  const double least = solver.eigenvalues()(0);
  const double most = solver.eigenvalues().cwiseAbs().maxCoeff();
  if (least > kFlat * most) {
    valley.status = CovarianceStatus::accurate;
    return hessian;
  }
  valley.status = CovarianceStatus::forced;
  valley.problem =
      fmt::format("the second derivatives describe no valley: along {} the function {}",
                  names_of(parameters, open, solver.eigenvectors().col(0)),
                  least < -kFlat * most ? "falls to both sides" : "is flat");
  const double added = kForced * most - least;
  return hessian + MatrixXd((scale.cwiseAbs2() * added).asDiagonal());
}

void hold_at_bound(Valley& valley, std::size_t index, double slope, double curvature, double rise) {
  // slope·d + curvature·d²/2 = rise, in the form that does not cancel.
  const double steep = std::abs(slope);
  const double root = std::sqrt(std::max(0.0, steep * steep + 2 * curvature * rise));
  const double error = steep + root > 0 ? 2 * rise / (steep + root) : 0;
  valley.covariance(index, index) = error * error;
}
}  // namespace

Valley valley_of(std::span<const FreeParameter> parameters, std::span<const double> point,
                 std::span<const double> gradient, const SquareMatrix& hessian, double rise) {
  Valley valley{.minimum = {point.begin(), point.end()}};
  std::vector<Index> open;
  std::vector<double> moved(point.size(), 0.0);
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Bound bound = bound_of(parameters[i], point[i], gradient[i], hessian(i, i), rise);
    if (bound.stops) {
      moved[i] = bound.at - point[i];
      valley.minimum[i] = bound.at;
      valley.beside_a_bound |= moved[i] != 0;
      valley.edm += std::abs(moved[i] * gradient[i]);
    } else {
      open.push_back(static_cast<Index>(i));
    }
  }
  const auto size = static_cast<Index>(point.size());
  const Eigen::Map<const MatrixXd> whole(hessian.values().data(), size, size);
  valley.covariance = SquareMatrix(point.size());
  valley.status = CovarianceStatus::accurate;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!std::ranges::binary_search(open, static_cast<Index>(i))) {
      hold_at_bound(valley, i, gradient[i], hessian(i, i), rise);
    }
  }
  if (open.empty()) {
    return valley;
  }
  const MatrixXd matrix = positive(whole(open, open), parameters, open, valley);
  if (matrix.size() == 0) {
    valley.covariance = {};
    return valley;
  }
  const Eigen::Map<const VectorXd> step(moved.data(), size);
  const Eigen::Map<const VectorXd> slopes(gradient.data(), size);
  const VectorXd pull = slopes(open) + whole(open, Eigen::all) * step;
  const MatrixXd inverse = matrix.ldlt().solve(MatrixXd::Identity(matrix.rows(), matrix.cols()));
  const VectorXd newton = -(inverse * pull);
  valley.edm += pull.dot(inverse * pull) / 2;
  for (Index row = 0; row < newton.size(); ++row) {
    const auto i = static_cast<std::size_t>(open[row]);
    valley.minimum[i] = std::max(point[i] + newton(row), parameters[i].lower.value_or(-HUGE_VAL));
    valley.minimum[i] = std::min(valley.minimum[i], parameters[i].upper.value_or(HUGE_VAL));
    for (Index column = 0; column < newton.size(); ++column) {
      valley.covariance(i, static_cast<std::size_t>(open[column])) =
          rise * (inverse(row, column) + inverse(column, row));
    }
  }
  return valley;
}

}  // namespace weir::fit
