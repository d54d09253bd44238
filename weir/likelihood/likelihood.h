#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/fit/objective.h"
#include "weir/likelihood/term.h"

namespace weir::likelihood {

/// A sum of terms that share parameters by name: what a minimiser makes small.
class Likelihood final : public fit::Objective {
 public:
  /// `fixed` are parameters of the models that are held: listed with their values, and otherwise
  /// constants. Errors: `invalid_spec` where two terms define one parameter differently, naming
  /// both terms, or there is no term.
  explicit Likelihood(std::vector<std::unique_ptr<Term>> terms,
                      std::span<const model::Parameter> fixed = {});

  const std::vector<fit::Parameter>& parameters() const noexcept override { return parameters_; }
  fit::Evaluation value(std::span<const double> point) override;
  fit::Evaluation value_and_gradient(std::span<const double> point,
                                     std::span<double> gradient) override;
  std::optional<fit::SquareMatrix> hessian(std::span<const double> point) override;
  std::optional<std::int64_t> data_count() const noexcept override;
  bool errors_are_statistical() const noexcept override;
  bool is_weighted() const noexcept override;

  /// Term::squared_scores of all terms: the middle of H⁻¹ D H⁻¹. Shape: [parameters, parameters].
  fit::SquareMatrix squared_scores(std::span<const double> point);

  const std::vector<std::unique_ptr<Term>>& terms() const { return terms_; }

 private:
  std::vector<double> point_of(std::size_t term, std::span<const double> point) const;
  fit::Evaluation evaluate(std::span<const double> point, std::span<double> gradient);
  void add(std::size_t term, const fit::SquareMatrix& part, fit::SquareMatrix& sum) const;

  std::vector<std::unique_ptr<Term>> terms_;
  std::vector<fit::Parameter> parameters_;
  std::vector<std::vector<std::size_t>> places_;  ///< Of each term's parameters.
};

}  // namespace weir::likelihood
