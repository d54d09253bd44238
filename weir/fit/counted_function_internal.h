#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "weir/fit/engine_internal.h"
#include "weir/fit/objective.h"

namespace weir::fit {

/// The free ones of `parameters`, with their values at `point` and without the bounds of periodic
/// ones.
std::vector<FreeParameter> free_parameters(std::span<const Parameter> parameters,
                                           std::span<const double> point);

/// An objective over its free parameters, made a function that is a finite number everywhere, with
/// its calls counted. Above the worst feasible value seen, infeasible points stand by how deep they
/// are.
class CountedFunction final : public FreeFunction {
 public:
  /// `point` holds what fixed parameters are held at; `rise` is the error definition to answer.
  CountedFunction(Objective& objective, std::vector<double> point, double rise);

  double value(std::span<const double> point) override;
  double value_and_gradient(std::span<const double> point, std::span<double> gradient) override;
  std::optional<SquareMatrix> hessian(std::span<const double> point) override;
  double error_definition() const noexcept override { return rise_; }

  /// As the objective says it, but infeasible where a number is not finite.
  Evaluation evaluate(std::span<const double> point, std::span<double> gradient);

  /// Those of the objective, over free parameters; absent where it has none.
  std::optional<SquareMatrix> exact_hessian(std::span<const double> point);

  const std::vector<std::size_t>& free() const noexcept { return free_; }
  /// The free parameters with the values they were made with.
  const std::vector<FreeParameter>& parameters() const noexcept { return parameters_; }
  /// All parameters: the free from `point`, periodic ones within their period.
  std::vector<double> whole(std::span<const double> point) const;

  std::int64_t nfcn() const noexcept { return nfcn_; }
  std::int64_t ngrad() const noexcept { return ngrad_; }
  std::int64_t nhessian() const noexcept { return nhessian_; }

 private:
  Evaluation checked(Evaluation evaluation) const;
  double finite(const Evaluation& evaluation);
  double unit() const noexcept;

  Objective& objective_;
  std::vector<double> all_;
  std::vector<std::size_t> free_;
  std::vector<FreeParameter> parameters_;
  std::vector<double> all_gradient_;
  double rise_;
  double best_ = std::numeric_limits<double>::infinity();
  double worst_ = -std::numeric_limits<double>::infinity();
  std::int64_t nfcn_ = 0;
  std::int64_t ngrad_ = 0;
  std::int64_t nhessian_ = 0;
};

}  // namespace weir::fit
