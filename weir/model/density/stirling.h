#pragma once

#include "weir/model/expr/expr.h"

namespace weir::model {

/// What Stirling's formula lacks: ln Gamma(z) - ((z - 1/2) ln z - z + ln(2 pi)/2), z > 0.
/// Source: DLMF 5.11.1.
Expr stirling_rest(const Expr& z);

/// n ln(n / mean) + mean - n for positive n and mean: half the deviance of a count. Keeps its
/// digits where n is close to the mean. Source: C. Loader, Fast and accurate computation of
/// binomial probabilities (2000).
Expr half_deviance(const Expr& n, const Expr& mean);

/// ln(mean^n exp(-mean) / Gamma(n + 1)), n > 0, by the two above: without differences of large
/// numbers.
Expr log_poisson(const Expr& n, const Expr& mean);

}  // namespace weir::model
