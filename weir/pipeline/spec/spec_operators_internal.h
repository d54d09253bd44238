#pragma once

#include "weir/op/operator_list.h"

namespace weir::pipeline {

/// Three operators that have fields but plan nothing: enough for tests of specs.
/// `filter`: cutoff_hz (required, alias cutoff), order (5); `level`: level; `lookup`: files (paths,
/// alias file), map (a document).
const op::OperatorList& test_operators();

}  // namespace weir::pipeline
