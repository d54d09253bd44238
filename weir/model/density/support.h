#pragma once

#include "weir/model/expr/expr.h"

/// What lies outside a density's support counts for nothing: neither in the value nor in a
/// derivative.
namespace weir::model {

Expr infinity();

/// x with a <= x <= b.
Expr clamped(const Expr& x, const Expr& a, const Expr& b);

/// The value where lower <= x <= upper, else 0.
Expr within(const Expr& x, const Expr& lower, const Expr& upper, const Expr& value);
/// The logarithm there, else -inf.
Expr log_within(const Expr& x, const Expr& lower, const Expr& upper, const Expr& log_value);

}  // namespace weir::model
