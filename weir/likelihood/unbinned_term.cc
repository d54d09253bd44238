#include "weir/likelihood/unbinned_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/fit/weighted_covariance.h"
#include "weir/model/expr/gauss_legendre.h"
#include "weir/model/expr/integral.h"
#include "weir/model/expr/operations.h"

namespace weir::likelihood {
namespace {

constexpr auto kLog = model::Plan::weighted_log_positive_real;
constexpr auto kSum = model::Plan::weighted_positive_real;
constexpr int kPoints = 16;

void check(std::span<const std::pair<double, double>> ranges) {
  if (ranges.empty()) {
    throw Error(ErrorCode::invalid_spec, "normalisation: no range is given");
  }
  for (const auto& [lower, upper] : ranges) {
    if (!(lower < upper) || !std::isfinite(lower) || !std::isfinite(upper)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("normalisation: [{}, {}] is no range", lower, upper));
    }
  }
}

}  // namespace

std::optional<Normalisation> analytic_normalisation(
    const model::Expr& density, const std::string& column,
    std::span<const std::pair<double, double>> ranges) {
  check(ranges);
  std::optional<model::Expr> sum;
  for (const auto& [lower, upper] : ranges) {
    const auto part = model::integral(density, column, lower, upper);
    if (!part || !model::columns_of({&*part, 1}).empty()) {
      return std::nullopt;
    }
    sum = sum ? *sum + *part : *part;
  }
  return Normalisation{*sum, std::make_shared<const model::ResidentTable>("the integral", 1)};
}

Normalisation numeric_normalisation(const model::Expr& density, const std::string& column,
                                    std::span<const std::pair<double, double>> ranges, int pieces) {
  check(ranges);
  const model::QuadratureRule rule = model::gauss_legendre(kPoints);
  std::vector<double> nodes;
  std::vector<double> weights;
  for (const auto& [lower, upper] : ranges) {
    const double half = (upper - lower) / pieces / 2;
    for (int piece = 0; piece < pieces; ++piece) {
      const double middle = lower + (2 * piece + 1) * half;
      for (int i = 0; i < kPoints; ++i) {
        nodes.push_back(middle + half * rule.nodes[static_cast<std::size_t>(i)]);
        weights.push_back(half * rule.weights[static_cast<std::size_t>(i)]);
      }
    }
  }
  auto table = std::make_shared<model::ResidentTable>(fmt::format("the quadrature over {}", column),
                                                      static_cast<std::int64_t>(nodes.size()));
  table->add_column(column, nodes);
  table->set_weights(weights);
  return {density, std::move(table)};
}

std::vector<double> UnbinnedTerm::Integral::point(std::span<const double> of_term) const {
  std::vector<double> own;
  own.reserve(places.size());
  for (const std::size_t place : places) {
    own.push_back(of_term[place]);
  }
  return own;
}

UnbinnedTerm::UnbinnedTerm(std::string name, const model::Expr& density,
                           std::shared_ptr<const model::ResidentTable> events, UnbinnedKind kind,
                           std::optional<Normalisation> normalisation, model::Execution execution)
    : name_(std::move(name)),
      kind_(kind),
      density_(density, execution),
      data_(density_.prepare(std::move(events))) {
  if (kind == UnbinnedKind::extended_nll && !normalisation) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format(
            "{}: an extended likelihood needs a normalisation: the expected number of events",
            name_));
  }
  check_events();
  if (!normalisation) {
    return;
  }
  model::PreparedModel integral(normalisation->model, execution);
  model::PreparedDataset data = integral.prepare(normalisation->table);
  std::vector<std::size_t> places;
  for (const auto& parameter : integral.parameters()) {
    const auto at = std::find_if(parameters().begin(), parameters().end(),
                                 [&](const auto& own) { return own->name == parameter->name; });
    WEIR_CHECK(at != parameters().end());
    places.push_back(static_cast<std::size_t>(at - parameters().begin()));
  }
  integral_.emplace(Integral{std::move(integral), std::move(data), std::move(places)});
}

void UnbinnedTerm::check_events() const {
  if (data_.rows() > 0 && !(signed_events() > 0)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {}: the weights sum to {}, which is not positive", name_,
                            data_.table().name(), signed_events()));
  }
}

void UnbinnedTerm::use_events(std::shared_ptr<const model::ResidentTable> events) {
  data_ = density_.prepare(std::move(events));
  check_events();
}

std::string UnbinnedTerm::text_of(std::span<const double> point) const {
  constexpr std::size_t kMostShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(point.size(), kMostShown); ++i) {
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", parameters()[i]->name, point[i]);
  }
  return point.size() > kMostShown ? text + ", …" : text;
}

fit::Evaluation UnbinnedTerm::outside(std::span<const double> point, std::span<double> gradient,
                                      std::int64_t row) const {
  const model::Reduction depth =
      density_.reduce_with_gradient(point, data_, kLog, model::Domain::penalty);
  std::copy_n(depth.gradient.begin(), gradient.size(), gradient.begin());
  return {
      .value = depth.value,
      .feasible = false,
      .reason = fmt::format("{}: {}: row {}: the density is not positive ({} rows in all) at {}",
                            name_, data_.table().name(), row, depth.bad_rows, text_of(point))};
}

std::optional<fit::Evaluation> UnbinnedTerm::add_integral(std::span<const double> point,
                                                          std::span<double> gradient,
                                                          double& value) const {
  const std::vector<double> own = integral_->point(point);
  const model::Reduction integral =
      gradient.empty()
          ? integral_->model.reduce(own, integral_->data, kSum, model::Domain::nan)
          : integral_->model.reduce_with_gradient(own, integral_->data, kSum, model::Domain::nan);
  const bool feasible =
      integral.bad_rows == 0 && integral.value > 0 && std::isfinite(integral.value);
  if (!feasible) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    return fit::Evaluation{
        .value = 1.0,
        .feasible = false,
        .reason = fmt::format("{}: the density's integral is {}", name_, integral.value)};
  }
  const bool extended = kind_ == UnbinnedKind::extended_nll;
  value += extended ? integral.value : signed_events() * std::log(integral.value);
  const double factor = extended ? 1.0 : signed_events() / integral.value;
  for (std::size_t i = 0; i < integral.gradient.size(); ++i) {
    gradient[integral_->places[i]] += factor * integral.gradient[i];
  }
  return std::nullopt;
}

fit::Evaluation UnbinnedTerm::evaluate(std::span<const double> point, std::span<double> gradient) {
  const model::Reduction logs =
      gradient.empty() ? density_.reduce(point, data_, kLog, model::Domain::nan)
                       : density_.reduce_with_gradient(point, data_, kLog, model::Domain::nan);
  if (logs.bad_rows > 0) {
    return outside(point, gradient, logs.first_bad_row);
  }
  double value = -logs.value;
  std::transform(logs.gradient.begin(), logs.gradient.end(), gradient.begin(),
                 [](double slope) { return -slope; });
  if (integral_) {
    if (auto infeasible = add_integral(point, gradient, value)) {
      return *infeasible;
    }
  }
  return {.value = value, .feasible = true, .reason = {}};
}

fit::SquareMatrix UnbinnedTerm::hessian(std::span<const double> point) {
  const std::size_t count = point.size();
  std::vector<double> matrix = density_.reduce_with_hessian(point, data_, kLog).hessian;
  std::transform(matrix.begin(), matrix.end(), matrix.begin(),
                 [](double second) { return -second; });
  fit::SquareMatrix result(count, std::move(matrix));
  if (!integral_) {
    return result;
  }
  const model::Reduction integral =
      integral_->model.reduce_with_hessian(integral_->point(point), integral_->data, kSum);
  const std::size_t own = integral_->places.size();
  const bool extended = kind_ == UnbinnedKind::extended_nll;
  for (std::size_t i = 0; i < own; ++i) {
    for (std::size_t j = 0; j < own; ++j) {
      const double second = integral.hessian[i * own + j];
      const double a = integral.value;
      const double of_log = second / a - integral.gradient[i] / a * (integral.gradient[j] / a);
      result(integral_->places[i], integral_->places[j]) +=
          extended ? second : signed_events() * of_log;
    }
  }
  return result;
}

double UnbinnedTerm::normalisation(std::span<const double> point) const {
  return integral_ ? integral_->model.reduce(integral_->point(point), integral_->data, kSum).value
                   : 1.0;
}

std::vector<double> UnbinnedTerm::log_integral_slopes(std::span<const double> point) const {
  std::vector<double> slopes(point.size());
  if (integral_ && kind_ == UnbinnedKind::nll) {
    const model::Reduction integral =
        integral_->model.reduce_with_gradient(integral_->point(point), integral_->data, kSum);
    for (std::size_t i = 0; i < integral.gradient.size(); ++i) {
      slopes[integral_->places[i]] = integral.gradient[i] / integral.value;
    }
  }
  return slopes;
}

fit::SquareMatrix UnbinnedTerm::squared_scores(std::span<const double> point) {
  const model::ScoreMoments moments = density_.score_moments(point, data_, kLog);
  return fit::centred({.squared_weights = moments.weights_squared,
                       .scores = moments.scores,
                       .products = fit::SquareMatrix(point.size(), moments.products)},
                      log_integral_slopes(point));
}

}  // namespace weir::likelihood
