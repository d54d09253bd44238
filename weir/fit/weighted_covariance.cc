#include "weir/fit/weighted_covariance.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "weir/core/error.h"

namespace weir::fit {
namespace {
using Eigen::MatrixXd;

Eigen::Map<const MatrixXd> viewed(const SquareMatrix& matrix) {
  const auto size = static_cast<Eigen::Index>(matrix.size());
  return {matrix.values().data(), size, size};
}

SquareMatrix stored(const MatrixXd& matrix) {
  SquareMatrix result(static_cast<std::size_t>(matrix.rows()));
  for (std::size_t row = 0; row < result.size(); ++row) {
    for (std::size_t column = 0; column < result.size(); ++column) {
      const auto i = static_cast<Eigen::Index>(row);
      const auto j = static_cast<Eigen::Index>(column);
      result(row, column) = (matrix(i, j) + matrix(j, i)) / 2;
    }
  }
  return result;
}

void check_size(std::size_t wanted, std::size_t size) {
  if (wanted != size) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("covariance: {} parameters, but a matrix or vector of {}", wanted, size));
  }
}
}  // namespace

SquareMatrix centred(const ScoreMoments& moments, std::span<const double> centre) {
  const std::size_t size = moments.products.size();
  check_size(size, moments.scores.size());
  check_size(size, centre.size());
  SquareMatrix result(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      result(row, column) = moments.products(row, column) - moments.scores[row] * centre[column] -
                            centre[row] * moments.scores[column] +
                            moments.squared_weights * centre[row] * centre[column];
    }
  }
  return result;
}

SquareMatrix simulation_term(const ScoreMoments& simulated, std::span<const double> centre,
                             double data_weight, double normalisation) {
  SquareMatrix result = centred(simulated, centre);
  const double ratio = data_weight / normalisation;
  for (std::size_t row = 0; row < result.size(); ++row) {
    for (std::size_t column = 0; column < result.size(); ++column) {
      result(row, column) *= ratio * ratio;
    }
  }
  return result;
}

SquareMatrix extended_simulation_term(const ScoreMoments& simulated,
                                      std::span<const double> gradient,
                                      std::optional<double> generated) {
  SquareMatrix result = simulated.products;
  check_size(result.size(), gradient.size());
  for (std::size_t row = 0; generated && row < result.size(); ++row) {
    for (std::size_t column = 0; column < result.size(); ++column) {
      result(row, column) -= gradient[row] * gradient[column] / *generated;
    }
  }
  return result;
}

SquareMatrix sandwich(const SquareMatrix& hessian, const SquareMatrix& middle) {
  check_size(hessian.size(), middle.size());
  const Eigen::LLT<MatrixXd> factors(viewed(hessian));
  if (factors.info() != Eigen::Success) {
    throw Error(ErrorCode::invalid_spec,
                "covariance: the second derivatives are not positive definite");
  }
  const MatrixXd half = factors.solve(viewed(middle));
  return stored(factors.solve(half.transpose()));
}

double effective_count(double weights, double squared_weights) {
  return squared_weights > 0 ? weights * weights / squared_weights : 0;
}

void correct_for_weights(FitResult& result, std::string_view kind, const SquareMatrix& middle) {
  if (kind != "sumw2" && kind != "asymptotic") {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("covariance: \"{}\" is neither sumw2 nor asymptotic", kind));
  }
  if (result.covariance.empty() || result.covariance_kind != "naive" || result.errordef != 0.5) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("covariance: {} needs a naive one of a fit whose error definition is "
                            "0.5; this is {}, {}",
                            kind, result.covariance.empty() ? "absent" : result.covariance_kind,
                            result.errordef));
  }
  check_size(result.covariance.size(), middle.size());
  const std::size_t size = middle.size();
  SquareMatrix read = middle;
  std::vector<bool> held(size);
  for (std::size_t row = 0; row < size; ++row) {
    const FittedParameter& fitted = result.parameters[row];
    const Parameter& parameter = fitted.parameter;
    held[row] = parameter.fixed || (!parameter.periodic && (parameter.lower == fitted.value ||
                                                            parameter.upper == fitted.value));
    for (std::size_t column = 0; held[row] && column < size; ++column) {
      read(row, column) = read(column, row) = 0;
    }
  }
  const SquareMatrix corrected =
      stored(viewed(result.covariance) * viewed(read) * viewed(result.covariance));
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      if (!held[row] && !held[column]) {
        result.covariance(row, column) = corrected(row, column);
      }
    }
    result.parameters[row].error = std::sqrt(result.covariance(row, row));
    result.parameters[row].at_limit = is_at_limit(result.parameters[row]);
  }
  result.covariance_kind = kind;
  std::erase_if(result.warnings, [](const std::string& warning) {
    return warning.find("naive covariance") != std::string::npos;
  });
}

}  // namespace weir::fit
