#pragma once

#include <optional>
#include <vector>

#include "weir/model/expr/expr.h"

namespace weir::model {

/// + - of equal shapes, * / by a scalar, negation, where an operand is no scalar; nothing where all
/// are scalars.
std::optional<Expr> shaped_arithmetic(Op op, const std::vector<Expr>& operands);

/// vector, matrix, element, matmul, dot, transpose, solve. For a matrix `index` and `column` are
/// its size, for an element its place.
Expr make_shaped(Op op, std::vector<Expr> operands, int index, int column);

}  // namespace weir::model
