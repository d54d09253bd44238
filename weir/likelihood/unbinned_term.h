#pragma once

#include <memory>
#include <optional>
#include <string>

#include "weir/likelihood/term.h"
#include "weir/model/run/prepared_model.h"

namespace weir::likelihood {

/// What a density's integral A is computed as: a sum of weights times `model` over the rows of a
/// table. For a closed form a table of one row; for a quadrature its nodes; for a simulation its
/// accepted events.
struct Normalisation {
  model::Expr model;
  std::shared_ptr<const model::ResidentTable> table;
};

/// The closed form of the integral over ranges of a column, where there is one.
std::optional<Normalisation> analytic_normalisation(
    const model::Expr& density, const std::string& column,
    std::span<const std::pair<double, double>> ranges);

/// Gauss and Legendre's rule of 16 points on each of `pieces` equal pieces of every range.
Normalisation numeric_normalisation(const model::Expr& density, const std::string& column,
                                    std::span<const std::pair<double, double>> ranges, int pieces);

enum class UnbinnedKind : std::uint8_t {
  nll,  ///< -Σ w ln f + Σw ln A. Without a normalisation A is 1: the density is normalised in
        ///< itself.
  extended_nll,  ///< A - Σ w ln f: f is a rate, A the expected number of events.
};

/// The negative logarithm of the likelihood of events, without constants of the data.
class UnbinnedTerm final : public Term {
 public:
  /// Errors: `invalid_spec` for an extended term without a normalisation, for a sum of weights that
  /// is not positive, and what PreparedModel and its tables refuse.
  UnbinnedTerm(std::string name, const model::Expr& density,
               std::shared_ptr<const model::ResidentTable> events, UnbinnedKind kind,
               std::optional<Normalisation> normalisation, model::Execution execution = {});

  const std::string& name() const override { return name_; }
  const Parameters& parameters() const override { return density_.parameters(); }
  fit::Evaluation evaluate(std::span<const double> point, std::span<double> gradient) override;
  fit::SquareMatrix hessian(std::span<const double> point) override;
  std::int64_t data_count() const override { return data_.rows(); }
  bool is_weighted() const override { return data_.table().weights() != nullptr; }
  fit::SquareMatrix squared_scores(std::span<const double> point) override;

  /// Takes other events in the place of its own: for toys and resampling. Nothing is compiled
  /// again. Errors: as the constructor.
  void use_events(std::shared_ptr<const model::ResidentTable> events);

  /// How often its density has been compiled.
  int compilations() const { return density_.compilations(); }

  /// A at a point; 1 without a normalisation.
  double normalisation(std::span<const double> point) const;

 private:
  struct Integral {
    model::PreparedModel model;
    model::PreparedDataset data;
    std::vector<std::size_t> places;  ///< Of its parameters among the term's.
    std::vector<double> point(std::span<const double> of_term) const;
  };
  void check_events() const;
  std::string text_of(std::span<const double> point) const;
  double signed_events() const { return data_.table().sum_of_weights(); }
  fit::Evaluation outside(std::span<const double> point, std::span<double> gradient,
                          std::int64_t row) const;
  std::optional<fit::Evaluation> add_integral(std::span<const double> point,
                                              std::span<double> gradient, double& value) const;
  /// ∂ ln A for nll.
  std::vector<double> log_integral_slopes(std::span<const double> point) const;

  std::string name_;
  UnbinnedKind kind_;
  model::PreparedModel density_;
  model::PreparedDataset data_;
  std::optional<Integral> integral_;
};

}  // namespace weir::likelihood
