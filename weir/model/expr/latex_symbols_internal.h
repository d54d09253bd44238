#pragma once

#include <string>
#include <string_view>

#include "weir/model/expr/written_parts_internal.h"

namespace weir::model {

struct LatexSymbol {
  Op op;
  int binding;
  const char* text;
};

/// How an operator between two operands is written, or null.
const LatexSymbol* latex_infix(Op op);
/// The name of a function: \sin, \mathrm{erf}.
std::string latex_function(Op op);
/// A word in upright letters, what LaTeX reads as commands escaped.
std::string latex_upright(std::string_view word);
/// A constant, parameter, column or component of a four-momentum.
Part latex_leaf(const Node& node);

}  // namespace weir::model
