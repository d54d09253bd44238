#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/likelihood/term.h"
#include "weir/model/run/prepared_model.h"

namespace weir::likelihood {

/// A term given by its expression, summed over the rows of a table: constraints, bins, a term of
/// the user's own.
class ExpressionTerm final : public Term {
 public:
  ExpressionTerm(std::string name, const model::Expr& summand,
                 std::shared_ptr<const model::ResidentTable> table, bool is_statistical,
                 model::Execution execution = {});

  const std::string& name() const override { return name_; }
  const Parameters& parameters() const override { return model_.parameters(); }
  fit::Evaluation evaluate(std::span<const double> point, std::span<double> gradient) override;
  fit::SquareMatrix hessian(std::span<const double> point) override;
  std::int64_t data_count() const override { return counts_ ? data_.rows() : 0; }
  bool is_statistical() const override { return is_statistical_; }

 private:
  std::string name_;
  bool is_statistical_;
  bool counts_;
  model::PreparedModel model_;
  model::PreparedDataset data_;
};

/// ½ ((x - mean) / sigma)² for an expression of parameters: an outside measurement.
std::unique_ptr<Term> gaussian_constraint(std::string name, const model::Expr& x, double mean,
                                          double sigma);

/// strength Σ p² and strength Σ |p|: penalties, after which errors are no statistical ones.
std::unique_ptr<Term> ridge(std::string name, std::span<const model::Expr> parameters,
                            double strength);
std::unique_ptr<Term> lasso(std::string name, std::span<const model::Expr> parameters,
                            double strength);

/// Counts in bins of a column: edges in rising order, one more than counts.
struct Histogram {
  std::string column;
  std::vector<double> edges;
  std::vector<double> counts;
  /// Errors: `invalid_spec` for edges that do not rise, sizes that do not fit, counts that are
  /// negative or no numbers.
  void check() const;
};

/// The constants of the data that a likelihood may leave out.
enum class Constants : std::uint8_t {
  reduced,  ///< μ - n ln μ
  full,     ///< μ - n ln μ + ln n!
};

/// The negative logarithm of the Poisson likelihood of counts, each with the expectation that
/// `rate` has in its bin: its integral in closed form, or by Gauss and Legendre's rule of 8 points.
std::unique_ptr<Term> binned_nll(std::string name, const model::Expr& rate, const Histogram& data,
                                 Constants constants, model::Execution execution = {});

/// ½ Σ ((n - μ) / error)². Errors: `invalid_spec` for an error that is not positive, naming its
/// bin.
std::unique_ptr<Term> chi2(std::string name, const model::Expr& rate, const Histogram& data,
                           std::span<const double> errors, model::Execution execution = {});

}  // namespace weir::likelihood
