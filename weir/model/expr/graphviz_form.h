#pragma once

#include <span>
#include <string>

#include "weir/model/expr/expr.h"

namespace weir::model {

/// The graph in Graphviz's language, every node once: operations as boxes with arrows to their
/// operands from left to right, columns, parameters and constants in shapes of their own, tags
/// below the operation.
std::string print_graphviz(std::span<const Expr> roots);

}  // namespace weir::model
