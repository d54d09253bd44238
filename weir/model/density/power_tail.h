#pragma once

#include "weir/model/expr/expr.h"

/// The tail of a Crystal Ball shape: exp(-alpha^2/2) (1 + (alpha/n)(s - alpha))^-n at s >= alpha
/// widths from the peak, where it continues exp(-s^2/2) with its slope.
/// Source: J. Gaiser, SLAC-R-255 (1982), appendix F.
namespace weir::model {

Expr log_power_tail(const Expr& s, const Expr& alpha, const Expr& n);

/// Its integral from `near` to `far`, alpha <= near <= far; far may be infinite. n > 1.
Expr power_tail_mass(const Expr& near, const Expr& far, const Expr& alpha, const Expr& n);

}  // namespace weir::model
