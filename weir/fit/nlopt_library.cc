// The library that is opened when a fit asks for NLopt.
#include <nlopt.h>

#include <cmath>
#include <exception>
#include <limits>
#include <memory>

#include "weir/fit/engine_internal.h"

namespace weir::fit {
namespace {
constexpr int kStoredUpdates = 20;

/// One run: NLopt is C, so an exception waits here until it has returned. Its coordinates are the
/// parameters in units of their steps, which brings them to one scale.
struct Run {
  const EngineInput* input = nullptr;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr thrown = {};
  std::vector<double> point = {};
  std::vector<double> gradient = {};
};

double evaluate(unsigned count, const double* scaled, double* gradient, void* data) {
  Run& run = *static_cast<Run*>(data);
  try {
    for (unsigned i = 0; i < count; ++i) {
      run.point[i] = scaled[i] * run.input->parameters[i].step;
    }
    if (gradient == nullptr) {
      return run.input->function->value(run.point);
    }
    const double value = run.input->function->value_and_gradient(run.point, run.gradient);
    for (unsigned i = 0; i < count; ++i) {
      gradient[i] = run.gradient[i] * run.input->parameters[i].step;
    }
    return value;
  } catch (...) {
    run.thrown = std::current_exception();
    nlopt_force_stop(run.optimiser);
    return std::numeric_limits<double>::infinity();
  }
}

std::string problem_of(nlopt_result code) {
  switch (code) {
    case NLOPT_ROUNDOFF_LIMITED:  // As near as the rounding of the function lets it.
    case NLOPT_FAILURE:           // So it says too when no step from the minimum goes down.
      return {};
    case NLOPT_INVALID_ARGS:
      return "L-BFGS refused its arguments";
    case NLOPT_OUT_OF_MEMORY:
      return "L-BFGS ran out of memory";
    default:
      return {};
  }
}

EngineOutput lbfgs(const EngineInput& input) {
  const auto count = static_cast<unsigned>(input.parameters.size());
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
      nlopt_create(NLOPT_LD_LBFGS, count), &nlopt_destroy);
  Run run{.input = &input,
          .optimiser = optimiser.get(),
          .point = std::vector<double>(count),
          .gradient = std::vector<double>(count)};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> lower(count);
  std::vector<double> upper(count);
  std::vector<double> scaled(count);
  for (unsigned i = 0; i < count; ++i) {
    const FreeParameter& parameter = input.parameters[i];
    scaled[i] = parameter.value / parameter.step;
    lower[i] = parameter.lower ? *parameter.lower / parameter.step : -kInfinity;
    upper[i] = parameter.upper ? *parameter.upper / parameter.step : kInfinity;
  }
  nlopt_set_min_objective(optimiser.get(), &evaluate, &run);
  nlopt_set_lower_bounds(optimiser.get(), lower.data());
  nlopt_set_upper_bounds(optimiser.get(), upper.data());
  nlopt_set_vector_storage(optimiser.get(), kStoredUpdates);
  // Whether it has arrived is judged afterwards by the edm: this only keeps it from ending early.
  nlopt_set_ftol_rel(optimiser.get(), 1e-15);
  nlopt_set_maxeval(optimiser.get(), static_cast<int>(std::min<std::int64_t>(
                                         input.max_calls, std::numeric_limits<int>::max())));
  EngineOutput output;
  const nlopt_result code = nlopt_optimize(optimiser.get(), scaled.data(), &output.fval);
  if (run.thrown) {
    std::rethrow_exception(run.thrown);
  }
  for (unsigned i = 0; i < count; ++i) {
    const FreeParameter& parameter = input.parameters[i];
    double value = scaled[i] * parameter.step;
    // At a bound it is the bound itself, not what two roundings made of it.
    value = scaled[i] == lower[i]   ? *parameter.lower
            : scaled[i] == upper[i] ? *parameter.upper
                                    : value;
    output.point.push_back(value);
  }
  output.edm = std::numeric_limits<double>::quiet_NaN();
  output.has_reached_call_limit = code == NLOPT_MAXEVAL_REACHED;
  output.problem = problem_of(code);
  return output;
}

constexpr NloptEntries kEntries{&lbfgs};
}  // namespace
}  // namespace weir::fit

extern "C" __attribute__((visibility("default"))) const weir::fit::NloptEntries*
weir_nlopt_entries() {
  return &weir::fit::kEntries;
}
