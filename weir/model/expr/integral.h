#pragma once

#include <optional>
#include <string_view>

#include "weir/model/expr/expr.h"

namespace weir::model {

/// Whether the expression reads the column.
bool depends_on(const Expr& expression, std::string_view column);

/// The expression with another in the place of a column.
Expr substitute(const Expr& expression, std::string_view column, const Expr& replacement);

/// The integral over a column from `lower` to `upper` in closed form: of sums, of products with
/// what does not depend on the column, of powers of the column, and of model functions whose
/// variable it is and which have an integral. Absent for anything else.
std::optional<Expr> integral(const Expr& expression, std::string_view column, const Expr& lower,
                             const Expr& upper);

/// The integral by Gauss and Legendre's rule of `points` points, one piece. Exact for polynomials
/// below degree 2 points.
Expr gauss_integral(const Expr& expression, std::string_view column, const Expr& lower,
                    const Expr& upper, int points);

}  // namespace weir::model
