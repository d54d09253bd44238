#pragma once

#include <array>

#include "weir/model/compile/scalar_graph.h"

namespace weir::model {

/// The derivatives of an operation's value by its operands, added to the graph; kNoValue for an
/// operand by which it does not vary (a condition). Errors: `unsupported` where a function has no
/// derivative among the functions.
std::array<Value, 3> local_derivatives(ScalarGraph& graph, Value value);

}  // namespace weir::model
