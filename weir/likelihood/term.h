#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/fit/objective.h"
#include "weir/model/expr/parameter.h"

namespace weir::likelihood {

using Parameters = std::vector<std::shared_ptr<const model::Parameter>>;

/// One summand of what a fit makes small. No factor 2 stands anywhere: a rise of 0.5 is one
/// standard error.
class Term {
 public:
  virtual ~Term() = default;
  virtual const std::string& name() const = 0;

  /// Its free parameters, in the order of its points.
  virtual const Parameters& parameters() const = 0;

  /// The term at a point, and, where `gradient` is not empty, its derivatives. Shape: gradient
  /// [parameters].
  virtual fit::Evaluation evaluate(std::span<const double> point, std::span<double> gradient) = 0;

  /// Its second derivatives. Shape: [parameters, parameters]. At a feasible point.
  virtual fit::SquareMatrix hessian(std::span<const double> point) = 0;

  /// Events or bins; 0 for a constraint.
  virtual std::int64_t data_count() const { return 0; }
  virtual bool is_weighted() const { return false; }
  /// False for a penalty on parameters that no measurement stands for.
  virtual bool is_statistical() const { return true; }

  /// What a term gives to the middle of H⁻¹ D H⁻¹, the covariance of a fit to weighted events: Σ w²
  /// g gᵀ over its events, g the slopes of an event's part of the term. Of unweighted terms the
  /// second derivatives, to which that sum tends.
  virtual fit::SquareMatrix squared_scores(std::span<const double> point);
};

}  // namespace weir::likelihood
