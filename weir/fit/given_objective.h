#pragma once

#include <functional>
#include <utility>

#include "weir/fit/objective.h"

namespace weir::fit {

/// An objective made of a function that returns the value and writes the gradient.
class GivenObjective : public Objective {
 public:
  using Function =
      std::function<Evaluation(std::span<const double> point, std::span<double> gradient)>;

  GivenObjective(std::vector<Parameter> parameters, Function function)
      : parameters_(std::move(parameters)), function_(std::move(function)) {}

  const std::vector<Parameter>& parameters() const noexcept override { return parameters_; }
  Evaluation value(std::span<const double> point) override {
    std::vector<double> gradient(point.size());
    return function_(point, gradient);
  }
  Evaluation value_and_gradient(std::span<const double> point,
                                std::span<double> gradient) override {
    return function_(point, gradient);
  }

 private:
  std::vector<Parameter> parameters_;
  Function function_;
};

}  // namespace weir::fit
