#pragma once

#include "weir/model/expr/expr.h"

namespace weir::model {

/// Whether two expressions are the same: operations, order of operands, constants bit for bit
/// (every NaN is one), columns, parameters in every field, functions, tags. What is shared and what
/// is written twice makes no difference.
/// Cost: linear in the nodes of both.
bool same(const Expr& a, const Expr& b);

}  // namespace weir::model
