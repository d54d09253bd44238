#include "weir/fit/fit_result.h"

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"

namespace weir::fit {
namespace {
std::vector<Parameter> given(const FitResult& result) {
  std::vector<Parameter> parameters;
  parameters.reserve(result.parameters.size());
  for (const FittedParameter& fitted : result.parameters) {
    parameters.push_back(fitted.parameter);
  }
  return parameters;
}

double element(const FitResult& result, std::string_view first, std::string_view second,
               const SquareMatrix& matrix) {
  const std::vector<Parameter> parameters = given(result);
  const std::size_t row = index_of(parameters, first);
  const std::size_t column = index_of(parameters, second);
  if (matrix.empty()) {
    throw Error(ErrorCode::not_found, "the fit has no covariance: " + result.reason);
  }
  return matrix(row, column);
}
}  // namespace

std::string_view name(CovarianceStatus status) noexcept {
  switch (status) {
    case CovarianceStatus::absent:
      return "absent";
    case CovarianceStatus::not_positive_definite:
      return "not_positive_definite";
    case CovarianceStatus::forced:
      return "forced";
    case CovarianceStatus::approximate:
      return "approximate";
    case CovarianceStatus::accurate:
      return "accurate";
  }
  return "absent";
}

bool is_at_limit(const FittedParameter& fitted) {
  const Parameter& parameter = fitted.parameter;
  return !parameter.fixed && !parameter.periodic &&
         ((parameter.lower && fitted.value - *parameter.lower < fitted.error / 2) ||
          (parameter.upper && *parameter.upper - fitted.value < fitted.error / 2));
}

const FittedParameter& FitResult::at(std::string_view name) const {
  return parameters[index_of(given(*this), name)];
}

double FitResult::covariance_of(std::string_view first, std::string_view second) const {
  return element(*this, first, second, covariance);
}

double FitResult::correlation_of(std::string_view first, std::string_view second) const {
  return element(*this, first, second, correlation(covariance));
}

std::vector<double> FitResult::point() const {
  std::vector<double> values;
  values.reserve(parameters.size());
  for (const FittedParameter& fitted : parameters) {
    values.push_back(fitted.value);
  }
  return values;
}

SquareMatrix correlation(const SquareMatrix& covariance) {
  const std::size_t size = covariance.size();
  SquareMatrix result(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const double scale = std::sqrt(covariance(row, row)) * std::sqrt(covariance(column, column));
      result(row, column) = row == column ? 1 : scale > 0 ? covariance(row, column) / scale : 0;
    }
  }
  return result;
}

}  // namespace weir::fit
