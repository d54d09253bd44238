// The library that is opened when a fit asks for Minuit2.
#include <Minuit2/FCNBase.h>
#include <Minuit2/FunctionMinimum.h>
#include <Minuit2/MnMigrad.h>
#include <Minuit2/MnPrint.h>
#include <Minuit2/MnUserParameterState.h>

#include <algorithm>

#include "weir/fit/engine_internal.h"

namespace weir::fit {
namespace {
namespace minuit = ROOT::Minuit2;

/// Minuit sees free parameters only: its maps between all and free ones have had defects.
class Function final : public minuit::FCNBase {
 public:
  explicit Function(const EngineInput& input) : function_(*input.function) {
    // Minuit transforms second derivatives to its own coordinates without the second derivative of
    // that transformation: with bounds it would go wrong, and makes do with its own estimates.
    has_hessian_ = std::ranges::none_of(input.parameters, [](const FreeParameter& parameter) {
      return parameter.lower || parameter.upper;
    });
  }
  double operator()(const std::vector<double>& point) const override {
    return function_.value(point);
  }
  double Up() const override { return function_.error_definition(); }
  bool HasGradient() const override { return true; }
  std::vector<double> Gradient(const std::vector<double>& point) const override {
    std::vector<double> gradient(point.size());
    function_.value_and_gradient(point, gradient);
    return gradient;
  }
  bool HasHessian() const override { return has_hessian_; }
  std::vector<double> Hessian(const std::vector<double>& point) const override {
    const auto hessian = function_.hessian(point);
    return hessian ? hessian->values() : std::vector<double>{};
  }

 private:
  FreeFunction& function_;
  bool has_hessian_ = false;
};

minuit::MnUserParameterState state_of(const EngineInput& input) {
  minuit::MnUserParameterState state;
  for (const FreeParameter& parameter : input.parameters) {
    state.Add(parameter.name, parameter.value, parameter.step);
    const unsigned index = state.Index(parameter.name);
    if (parameter.lower && parameter.upper) {
      state.SetLimits(index, *parameter.lower, *parameter.upper);
    } else if (parameter.lower) {
      state.SetLowerLimit(index, *parameter.lower);
    } else if (parameter.upper) {
      state.SetUpperLimit(index, *parameter.upper);
    }
  }
  return state;
}

SquareMatrix covariance_of(const minuit::FunctionMinimum& minimum) {
  const minuit::MnUserCovariance& given = minimum.UserState().Covariance();
  SquareMatrix covariance(given.Nrow());
  for (unsigned row = 0; row < given.Nrow(); ++row) {
    for (unsigned column = 0; column < given.Nrow(); ++column) {
      covariance(row, column) = given(row, column);
    }
  }
  return covariance;
}

EngineOutput migrad(const EngineInput& input) {
  minuit::MnPrint::SetGlobalLevel(-1);  // What it would print is in the result.
  const Function function(input);
  minuit::MnMigrad engine(function, state_of(input),
                          minuit::MnStrategy(static_cast<unsigned>(input.strategy)));
  const minuit::FunctionMinimum minimum =
      engine(static_cast<unsigned>(input.max_calls), input.tolerance);
  EngineOutput output;
  output.point = minimum.UserState().Params();
  output.fval = minimum.Fval();
  output.edm = minimum.Edm();
  output.has_reached_call_limit = minimum.HasReachedCallLimit();
  if (minimum.HasValidCovariance() && minimum.UserState().HasCovariance()) {
    output.covariance = covariance_of(minimum);
  }
  if (!minimum.HasValidParameters()) {
    output.problem = "MIGRAD found no valid parameters";
  } else if (minimum.IsAboveMaxEdm()) {
    output.problem = "MIGRAD gave up above its goal";
  }
  return output;
}

constexpr MinuitEntries kEntries{&migrad};
}  // namespace
}  // namespace weir::fit

extern "C" __attribute__((visibility("default"))) const weir::fit::MinuitEntries*
weir_minuit2_entries() {
  return &weir::fit::kEntries;
}
