#pragma once

#include "weir/model/expr/expr.h"

namespace weir::model {

/// log((1 - exp(-u)) / u), 0 at u = 0; u of any sign, though exp(-u) must not overflow. Derivatives
/// keep their digits around 0.
/// Source: DLMF 4.19, log(sinh(h)/h) as a series.
Expr log_mean_of_decay(const Expr& u);

/// The integral of exp(-rate t) from 0 to length: also for rate 0, and for an infinite length.
Expr mass_of_decay(const Expr& rate, const Expr& length);

}  // namespace weir::model
