#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weir/model/expr/expr.h"

namespace weir::model {

/// An expression as formulas of LaTeX's mathematics mode (with amsmath). Parts that are used
/// several times, or lie deep, are defined once. Not to be read back: constants have their shortest
/// digits, tags are left out.
struct LatexForm {
  std::vector<std::pair<std::string, std::string>> definitions;  ///< "t_{1}", what it stands for.
  std::string result;
};

/// Parameters appear as their `latex`, or else by name as columns do: mu as \mu, sigma_1 and sigma1
/// as \sigma_{1}, words upright. Indices of elements begin with 0, as everywhere.
LatexForm latex_form(const Expr& root);

/// One formula; with definitions an `aligned` block of them, the result last.
std::string print_latex(const Expr& root);

/// The formula of a name: "mu_x" as \mu_{x}.
std::string latex_name(std::string_view name);

}  // namespace weir::model
