#include "weir/likelihood/expression_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/model/expr/integral.h"
#include "weir/model/expr/operations.h"

namespace weir::likelihood {
namespace {

constexpr auto kPlan = model::Plan::weighted_real;
constexpr int kPointsOfABin = 8;

std::shared_ptr<const model::ResidentTable> one_row() {
  return std::make_shared<const model::ResidentTable>("parameters", 1);
}

struct Bins {
  std::shared_ptr<model::ResidentTable> table;
  model::Expr expectation;
};

/// The bins as rows, with the columns lower, upper and count, and what a bin is expected to hold.
Bins bins_of(const model::Expr& rate, const Histogram& data) {
  data.check();
  const auto count = static_cast<std::int64_t>(data.counts.size());
  auto table =
      std::make_shared<model::ResidentTable>(fmt::format("the bins of {}", data.column), count);
  const std::span<const double> edges = data.edges;
  table->add_column("lower", edges.first(data.counts.size()));
  table->add_column("upper", edges.subspan(1));
  table->add_column("count", data.counts);
  const model::Expr lower = model::column("lower");
  const model::Expr upper = model::column("upper");
  const auto closed = model::integral(rate, data.column, lower, upper);
  return {std::move(table),
          closed ? *closed : model::gauss_integral(rate, data.column, lower, upper, kPointsOfABin)};
}

}  // namespace

ExpressionTerm::ExpressionTerm(std::string name, const model::Expr& summand,
                               std::shared_ptr<const model::ResidentTable> table,
                               bool is_statistical, model::Execution execution)
    : name_(std::move(name)),
      is_statistical_(is_statistical),
      counts_(!model::columns_of({&summand, 1}).empty()),
      model_(summand, execution),
      data_(model_.prepare(std::move(table))) {}

fit::Evaluation ExpressionTerm::evaluate(std::span<const double> point,
                                         std::span<double> gradient) {
  const model::Reduction sum =
      gradient.empty() ? model_.reduce(point, data_, kPlan, model::Domain::nan)
                       : model_.reduce_with_gradient(point, data_, kPlan, model::Domain::nan);
  std::copy_n(sum.gradient.begin(), gradient.size(), gradient.begin());
  if (sum.bad_rows == 0) {
    return {.value = sum.value, .feasible = true, .reason = {}};
  }
  // An expression says nothing of how deep outside it is: as many steps as bad rows.
  std::fill(gradient.begin(), gradient.end(), 0.0);
  return {.value = static_cast<double>(sum.bad_rows),
          .feasible = false,
          .reason = fmt::format("{}: {}: row {}: the value is no finite number", name_,
                                data_.table().name(), sum.first_bad_row)};
}

fit::SquareMatrix ExpressionTerm::hessian(std::span<const double> point) {
  return {point.size(), model_.reduce_with_hessian(point, data_, kPlan).hessian};
}

std::unique_ptr<Term> gaussian_constraint(std::string name, const model::Expr& x, double mean,
                                          double sigma) {
  if (!(sigma > 0) || !std::isfinite(sigma) || !std::isfinite(mean)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: mean {} and sigma {} make no constraint", name, mean, sigma));
  }
  const model::Expr t = (x - mean) / sigma;
  return std::make_unique<ExpressionTerm>(std::move(name), 0.5 * t * t, one_row(), true);
}

namespace {

std::unique_ptr<Term> penalty(std::string name, std::span<const model::Expr> parameters,
                              double strength, model::Expr (*of)(const model::Expr&)) {
  if (!(strength >= 0) || !std::isfinite(strength) || parameters.empty()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: needs parameters and a strength of 0 or more, not {} of {}", name,
                            parameters.size(), strength));
  }
  model::Expr sum = of(parameters[0]);
  for (const model::Expr& parameter : parameters.subspan(1)) {
    sum = sum + of(parameter);
  }
  return std::make_unique<ExpressionTerm>(std::move(name), strength * sum, one_row(), false);
}

}  // namespace

std::unique_ptr<Term> ridge(std::string name, std::span<const model::Expr> parameters,
                            double strength) {
  return penalty(std::move(name), parameters, strength, [](const model::Expr& p) { return p * p; });
}

std::unique_ptr<Term> lasso(std::string name, std::span<const model::Expr> parameters,
                            double strength) {
  return penalty(std::move(name), parameters, strength,
                 [](const model::Expr& p) { return model::abs(p); });
}

void Histogram::check() const {
  if (edges.size() != counts.size() + 1 || counts.empty()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("bins of {}: {} edges and {} counts; there must be one edge more",
                            column, edges.size(), counts.size()));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!(edges[i] < edges[i + 1]) || !std::isfinite(edges[i]) || !std::isfinite(edges[i + 1])) {
      throw Error(ErrorCode::invalid_spec, fmt::format("bins of {}: edges {} and {} do not rise",
                                                       column, edges[i], edges[i + 1]));
    }
    if (!(counts[i] >= 0) || !std::isfinite(counts[i])) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("bins of {}: bin {} holds {}", column, i, counts[i]));
    }
  }
}

std::unique_ptr<Term> binned_nll(std::string name, const model::Expr& rate, const Histogram& data,
                                 Constants constants, model::Execution execution) {
  const Bins bins = bins_of(rate, data);
  const model::Expr n = model::column("count");
  const model::Expr& mu = bins.expectation;
  // An empty bin may expect nothing, a full one may not.
  model::Expr summand = model::select(
      model::equal(n, 0), model::select(model::less(mu, 0), NAN, mu), mu - n * model::log(mu));
  if (constants == Constants::full) {
    summand = summand + model::lgamma(n + 1);
  }
  return std::make_unique<ExpressionTerm>(std::move(name), summand, bins.table, true, execution);
}

std::unique_ptr<Term> chi2(std::string name, const model::Expr& rate, const Histogram& data,
                           std::span<const double> errors, model::Execution execution) {
  const Bins bins = bins_of(rate, data);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (!(errors[i] > 0) || !std::isfinite(errors[i])) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: the error of bin {} is {}, not positive", name, i, errors[i]));
    }
  }
  bins.table->add_column("error", errors);
  const model::Expr pull = (model::column("count") - bins.expectation) / model::column("error");
  return std::make_unique<ExpressionTerm>(std::move(name), 0.5 * pull * pull, bins.table, true,
                                          execution);
}

}  // namespace weir::likelihood
