#pragma once

#include "weir/model/expr/expr.h"

namespace weir::model {

/// The integral of exp(-t^2/2) / sqrt(2 pi) from a to b, a <= b; either may be infinite. Within
/// rounding of its own size also far in either tail.
/// Source: DLMF 7.2.
Expr gaussian_mass(const Expr& a, const Expr& b);

/// ln of exp(e^2/2) times that integral, e the point between a and b that is nearest to 0: a
/// moderate number also where the integral lies below the smallest one.
/// Source: DLMF 7.2, erfcx(x) = exp(x^2) erfc(x).
Expr log_scaled_gaussian_mass(const Expr& a, const Expr& b);

}  // namespace weir::model
