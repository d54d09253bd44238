#pragma once

#include <span>
#include <vector>

#include "weir/model/compile/scalar_graph.h"

namespace weir::model {

/// The derivatives of `output` by each of `variables`, added to the graph: reverse mode, one pass
/// whatever their number. `variables` may be any values, not only leaves; what lies below one is
/// not followed further through it. A branch that a select leaves out contributes exactly 0,
/// whatever is infinite or undefined in it. kNoValue where the output does not depend on a
/// variable.
std::vector<Value> differentiate(ScalarGraph& graph, Value output,
                                 std::span<const Value> variables);

}  // namespace weir::model
