#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/fit/second_derivatives_internal.h"

namespace weir::fit {
namespace {
// The truncation error of a central difference at σ/1000 is a millionth of the curvature's own
// change over one σ; the rounding of a gradient is still far below the difference.
constexpr double kStepOfError = 1e-3;
constexpr int kCycles = 4;
constexpr int kShrinks = 5;

class Differences {
 public:
  Differences(CountedFunction& function, std::span<const double> point)
      : function_(function),
        parameters_(function.parameters()),
        point_(point.begin(), point.end()) {
    centre_.resize(point.size());
    centre_feasible_ = function.evaluate(point, centre_).feasible;
  }

  bool centre_feasible() const noexcept { return centre_feasible_; }

  /// Derivatives of the gradient by parameter `index`; empty where no step stays feasible.
  std::vector<double> column(std::size_t index, double step) {
    for (int shrink = 0; shrink < kShrinks; ++shrink, step /= 10) {
      if (auto found = central(index, step); !found.empty()) {
        return found;
      }
      for (const double side : {1.0, -1.0}) {
        if (auto found = one_sided(index, side * step); !found.empty()) {
          return found;
        }
      }
    }
    return {};
  }

 private:
  /// Gradient with parameter `index` moved by `step`; empty outside the bounds or infeasible.
  std::vector<double> moved(std::size_t index, double step) {
    const FreeParameter& parameter = parameters_[index];
    std::vector<double> point = point_;
    point[index] += step;
    if ((parameter.lower && point[index] < *parameter.lower) ||
        (parameter.upper && point[index] > *parameter.upper)) {
      return {};
    }
    std::vector<double> gradient(point.size());
    return function_.evaluate(point, gradient).feasible ? gradient : std::vector<double>{};
  }

  std::vector<double> central(std::size_t index, double step) {
    std::vector<double> up = moved(index, step);
    if (up.empty()) {
      return {};
    }
    const std::vector<double> down = moved(index, -step);
    if (down.empty()) {
      return {};
    }
    const double distance = (point_[index] + step) - (point_[index] - step);
    for (std::size_t i = 0; i < up.size(); ++i) {
      up[i] = (up[i] - down[i]) / distance;
    }
    return up;
  }

  /// Second-order difference to one side.
  std::vector<double> one_sided(std::size_t index, double step) {
    std::vector<double> near = moved(index, step);
    if (near.empty()) {
      return {};
    }
    const std::vector<double> far = moved(index, 2 * step);
    if (far.empty()) {
      return {};
    }
    for (std::size_t i = 0; i < near.size(); ++i) {
      near[i] = (4 * near[i] - far[i] - 3 * centre_[i]) / (2 * step);
    }
    return near;
  }

  CountedFunction& function_;
  std::span<const FreeParameter> parameters_;
  std::vector<double> point_;
  std::vector<double> centre_;
  bool centre_feasible_ = false;
};

/// The column with a step that fits the curvature it finds.
std::vector<double> refined_column(Differences& differences, std::size_t index, double scale,
                                   double at, double rise) {
  // A step below this is mostly rounding of the parameter.
  const double smallest = 1e-8 * std::abs(at) + std::numeric_limits<double>::min();
  double step = std::max(kStepOfError * scale, smallest);
  std::vector<double> column;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    column = differences.column(index, step);
    if (column.empty() || !(std::abs(column[index]) > 0)) {
      return column;
    }
    const double error = std::sqrt(2 * rise / std::abs(column[index]));
    const double wanted = std::max(kStepOfError * error, smallest);
    if (step < 5 * wanted && step > wanted / 5) {
      return column;
    }
    step = wanted;
  }
  return column;
}
}  // namespace

SecondDerivatives second_derivatives(CountedFunction& function, std::span<const double> point,
                                     std::span<const double> scales) {
  SecondDerivatives result;
  if (auto exact = function.exact_hessian(point)) {
    result.matrix = *std::move(exact);
    return result;
  }
  Differences differences(function, point);
  if (!differences.centre_feasible()) {
    result.problem = "the function does not exist at the minimum";
    return result;
  }
  const std::vector<FreeParameter>& parameters = function.parameters();
  const std::size_t size = parameters.size();
  SquareMatrix raw(size);
  for (std::size_t column = 0; column < size; ++column) {
    const std::vector<double> found = refined_column(differences, column, scales[column],
                                                     point[column], function.error_definition());
    if (found.empty()) {
      result.problem =
          fmt::format("no step of {} stays where the function exists", parameters[column].name);
      return result;
    }
    for (std::size_t row = 0; row < size; ++row) {
      raw(row, column) = found[row];
    }
  }
  result.matrix = SquareMatrix(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      result.matrix(row, column) = (raw(row, column) + raw(column, row)) / 2;
    }
  }
  return result;
}

}  // namespace weir::fit
