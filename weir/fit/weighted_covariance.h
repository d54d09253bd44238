#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weir/fit/fit_result.h"
#include "weir/fit/square_matrix.h"

namespace weir::fit {

/// Sums over events of a squared weight times 1, the score s = ∂ ln I, and s sᵀ.
struct ScoreMoments {
  double squared_weights = 0;       ///< Σ w²
  std::vector<double> scores = {};  ///< Σ w² s
  SquareMatrix products = {};       ///< Σ w² s sᵀ
};

/// Σ w² (s − c)(s − c)ᵀ. For a likelihood whose normalisation A depends on the parameters
/// c = ∂ ln A; for an extended one nothing is taken off: `products` itself.
SquareMatrix centred(const ScoreMoments& moments, std::span<const double> centre);

/// What the finite number of simulated events adds for −Σ w ln I + N ln A, A = Σ_mc w I: moments of
/// the simulated events with weights w I, and c = ∂ ln A.
/// Source: propagation of the sampling error of A through the minimum's condition.
SquareMatrix simulation_term(const ScoreMoments& simulated, std::span<const double> centre,
                             double data_weight, double normalisation);

/// The same for A − Σ w ln I; where the number of generated events was fixed, (Σ w ∂I)(Σ w ∂I)ᵀ
/// divided by it is taken off, `gradient` = ∂A = Σ w ∂I.
SquareMatrix extended_simulation_term(const ScoreMoments& simulated,
                                      std::span<const double> gradient,
                                      std::optional<double> generated);

/// H⁻¹ M H⁻¹. With M the second derivatives of the likelihood with squared weights: `sumw2`; with M
/// the centred products of scores, plus the simulation term: `asymptotic`.
/// Errors: `invalid_spec` where H is not positive definite or the sizes differ.
/// Source: Langenbruch, EPJ C 82 (2022) 393, arXiv:1911.01303.
SquareMatrix sandwich(const SquareMatrix& hessian, const SquareMatrix& middle);

/// The number of unweighted events that would say as much: (Σw)²/Σw².
double effective_count(double weights, double squared_weights);

/// Replaces the covariance of a valid fit, which is naive, by V M V, and errors and limits with it;
/// what fixed parameters and bounds hold stays. `kind`: "sumw2" or "asymptotic". `middle` over all
/// parameters; rows of fixed ones are not read.
/// Errors: `invalid_spec` for another kind, a size that differs, an error definition other than
/// 0.5, a covariance that is not naive, or none.
void correct_for_weights(FitResult& result, std::string_view kind, const SquareMatrix& middle);

}  // namespace weir::fit
