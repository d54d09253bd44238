#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "weir/model/expr/expr.h"

namespace weir::model {

/// A function of the registry: a density or line shape that texts call by name. One folder of
/// functions/ each, in whose <name>.cc `const ModelFunction& <name>_function()` stands; CMake finds
/// it. Arguments are real scalars: the variable first, then the shape's parameters.
/// A density is 0, its logarithm -inf outside its support; parameters outside their domain make
/// values that no density has (negative, NaN), which a reduction reports.
struct ModelFunction {
  std::string_view name;
  std::vector<std::string_view>
      arguments;  ///< Their names, the variable first: {"x", "mu", "sigma"}.
  Expr (*value)(std::span<const Expr> arguments);
  /// The logarithm of the value, which a likelihood takes; null where log(value) is as good.
  Expr (*log_value)(std::span<const Expr> arguments) = nullptr;
  /// The integral of the value over the variable from `lower` to `upper` (lower <= upper; either
  /// may be infinite), the first argument being ignored; null where there is no closed form.
  Expr (*integral)(std::span<const Expr> arguments, const Expr& lower, const Expr& upper) = nullptr;
  std::string_view formula;       ///< LaTeX.
  std::string_view source;        ///< Where the formula comes from.
  std::string_view summary = {};  ///< One line, with the domains of the parameters.
  /// The last argument may be given any number of times, once at least: coefficients.
  bool repeats_last = false;

  /// Whether a call may have so many arguments.
  bool takes(std::size_t count) const {
    return repeats_last ? count >= arguments.size() : count == arguments.size();
  }
};

/// The function of that name, or null. Every function of functions/ is found.
const ModelFunction* find_model_function(std::string_view name);
std::vector<const ModelFunction*> model_functions();

}  // namespace weir::model
