#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/fit/square_matrix.h"

namespace weir::fit {

/// A function of the free parameters only, defined everywhere: what the minimisers work on.
class FreeFunction {
 public:
  virtual ~FreeFunction() = default;
  virtual double value(std::span<const double> point) = 0;
  virtual double value_and_gradient(std::span<const double> point, std::span<double> gradient) = 0;
  /// Second derivatives, exact or from differences of gradients; absent where infeasible.
  virtual std::optional<SquareMatrix> hessian(std::span<const double> point) = 0;
  virtual double error_definition() const noexcept = 0;
};

/// A free parameter as minimisers take it: the value lies strictly between the bounds.
struct FreeParameter {
  std::string name = {};
  double value = 0;
  double step = 0;
  std::optional<double> lower = {};
  std::optional<double> upper = {};
};

struct EngineInput {
  FreeFunction* function = nullptr;
  std::vector<FreeParameter> parameters = {};
  int strategy = 1;
  double tolerance = 0.1;
  std::int64_t max_calls = 0;
};

struct EngineOutput {
  std::vector<double> point = {};
  double fval = 0;
  double edm = 0;  ///< NaN where the minimiser does not know.
  bool has_reached_call_limit = false;
  std::string problem = {};      ///< What the minimiser complains of; empty when nothing.
  SquareMatrix covariance = {};  ///< Its own estimate, over free parameters; may be empty.
};

/// What libweir_minuit2 offers: MIGRAD.
struct MinuitEntries {
  EngineOutput (*migrad)(const EngineInput&);
};
inline constexpr const char* kMinuitLibrary = "weir_minuit2";
inline constexpr const char* kMinuitEntry = "weir_minuit2_entries";

/// What libweir_nlopt offers.
struct NloptEntries {
  EngineOutput (*lbfgs)(const EngineInput&);
};
inline constexpr const char* kNloptLibrary = "weir_nlopt";
inline constexpr const char* kNloptEntry = "weir_nlopt_entries";

/// The libraries, opened on first use. Errors: `unsupported` naming what to install.
const MinuitEntries& minuit_entries();
const NloptEntries& nlopt_entries();

}  // namespace weir::fit
