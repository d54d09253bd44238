#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/model/expr/expr.h"
#include "weir/model/run/resident_table.h"

namespace weir::model {

/// Where and with what a model is evaluated.
struct Execution {
  int threads = 0;  ///< 0: as many as the machine has.
};

/// What is summed over events, each with its weight w.
enum class Plan : std::uint8_t {
  weighted_real,               ///< Σ w f; f finite.
  weighted_positive_real,      ///< Σ w f; f finite and not negative.
  weighted_log_positive_real,  ///< Σ w ln f; f finite and positive. Densities give their logarithm
                               ///< themselves.
};

/// What a value outside a plan's domain does. Events of weight 0 are outside every sum.
enum class Domain : std::uint8_t {
  error,  ///< Throws invalid_spec naming table, row, value and parameters.
  nan,    ///< The sum is what arithmetic makes of it; bad_rows counts them.
  /// For minimisers, of a logarithm only: not the sum but how far outside the events lie, Σ w d
  /// with d = -f where f is 0 or less, 1 where it is no finite number, 0 for the others; and its
  /// derivatives, which show the way back.
  penalty,
};

/// A sum over events and its derivatives by the parameters.
struct Reduction {
  double value = 0;
  std::vector<double> gradient;  ///< Shape: [parameters]; empty unless asked for.
  std::vector<double>
      hessian;  ///< Shape: [parameters, parameters], row by row; empty unless asked for.
  std::int64_t bad_rows = 0;  ///< Events outside the domain.
  std::int64_t first_bad_row = -1;
};

/// Sums of squared weights and scores s = ∂f/∂θ (of the logarithm where the plan has one): what
/// covariances need.
struct ScoreMoments {
  double weights_squared = 0;    ///< Σ w²
  std::vector<double> scores;    ///< Σ w² s. Shape: [parameters].
  std::vector<double> products;  ///< Σ w² s sᵀ. Shape: [parameters, parameters].
};

class PreparedDataset;
enum class Derivatives : std::uint8_t;

/// A model compiled for evaluation. Thread-safe; compiles each form when it is first asked for.
class PreparedModel {
 public:
  /// Errors: `invalid_spec` for two definitions of one parameter.
  explicit PreparedModel(const Expr& model, Execution execution = {});
  ~PreparedModel();
  PreparedModel(PreparedModel&&) noexcept;
  PreparedModel& operator=(PreparedModel&&) noexcept;

  /// The free parameters, in the order in which every call takes their values.
  const std::vector<std::shared_ptr<const Parameter>>& parameters() const;
  /// The columns that are read, without repetition, in the order of first use.
  const std::vector<std::string>& required_columns() const;

  /// Binds a table. Errors: `not_found` for a missing column.
  PreparedDataset prepare(std::shared_ptr<const ResidentTable> table) const;

  /// One value per event, in order. For a complex model real and imaginary part, for vectors and
  /// matrices every element: shape [outputs][rows].
  std::vector<std::vector<double>> evaluate(std::span<const double> parameters,
                                            const PreparedDataset& data) const;

  /// Errors: `invalid_spec` for a model that is no real scalar, a wrong number of parameters, and
  /// as `domain` says. NaN among the parameters gives NaN.
  Reduction reduce(std::span<const double> parameters, const PreparedDataset& data, Plan plan,
                   Domain domain = Domain::error) const;
  Reduction reduce_with_gradient(std::span<const double> parameters, const PreparedDataset& data,
                                 Plan plan, Domain domain = Domain::error) const;
  Reduction reduce_with_hessian(std::span<const double> parameters, const PreparedDataset& data,
                                Plan plan, Domain domain = Domain::error) const;
  ScoreMoments score_moments(std::span<const double> parameters, const PreparedDataset& data,
                             Plan plan) const;

  /// How often something has been compiled: the same form is never compiled twice.
  int compilations() const;
  /// The instruction list of a reduction with gradient, as text.
  std::string listing(Plan plan) const;

 private:
  friend class PreparedDataset;
  class Impl;
  Reduction reduce_derivatives(std::span<const double> parameters, const PreparedDataset& data,
                               Plan plan, Domain domain, Derivatives derivatives) const;
  std::unique_ptr<Impl> impl_;
};

/// A table bound to one model: what depends on events alone is computed once and kept. Copies
/// share. Lives: as long as its model. Another model refuses it (`invalid_spec`).
class PreparedDataset {
 public:
  const ResidentTable& table() const { return *table_; }
  std::int64_t rows() const { return table_->rows(); }
  /// Bytes kept beside the table.
  std::size_t cached_bytes() const;

 private:
  friend class PreparedModel;
  struct Cache;
  PreparedDataset(std::shared_ptr<const ResidentTable> table, std::shared_ptr<Cache> cache)
      : table_(std::move(table)), cache_(std::move(cache)) {}
  std::shared_ptr<const ResidentTable> table_;
  std::shared_ptr<Cache> cache_;
};

}  // namespace weir::model
