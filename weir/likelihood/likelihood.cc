#include "weir/likelihood/likelihood.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"

namespace weir::likelihood {
namespace {

fit::Parameter start_of_fit(const model::Parameter& p) {
  return {.name = p.name,
          .value = model::start_of(p),
          .step = p.scale,
          .lower = p.lower,
          .upper = p.upper,
          .fixed = p.fixed,
          .periodic = p.periodic};
}

}  // namespace

Likelihood::Likelihood(std::vector<std::unique_ptr<Term>> terms,
                       std::span<const model::Parameter> fixed)
    : terms_(std::move(terms)) {
  if (terms_.empty()) {
    throw Error(ErrorCode::invalid_spec, "a likelihood needs at least one term");
  }
  struct Known {
    std::size_t place;
    const Term* term;
    std::shared_ptr<const model::Parameter> definition;
  };
  std::unordered_map<std::string, Known> known;
  for (const auto& term : terms_) {
    std::vector<std::size_t>& places = places_.emplace_back();
    for (const auto& parameter : term->parameters()) {
      const auto [at, added] =
          known.emplace(parameter->name, Known{parameters_.size(), term.get(), parameter});
      if (added) {
        parameters_.push_back(start_of_fit(*parameter));
      } else if (!(*at->second.definition == *parameter)) {
        in_context(fmt::format("terms {} and {}", at->second.term->name(), term->name()), [&] {
          const std::array<model::Expr, 2> both = {model::parameter(*at->second.definition),
                                                   model::parameter(*parameter)};
          model::parameters_of(both);  // says in what they differ
        });
      }
      places.push_back(at->second.place);
    }
  }
  for (const model::Parameter& parameter : fixed) {
    if (known.contains(parameter.name)) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("parameter {} is fixed in one place and free in another", parameter.name));
    }
    parameters_.push_back(start_of_fit(parameter));
  }
}

std::vector<double> Likelihood::point_of(std::size_t term, std::span<const double> point) const {
  std::vector<double> own;
  own.reserve(places_[term].size());
  for (const std::size_t place : places_[term]) {
    own.push_back(point[place]);
  }
  return own;
}

fit::Evaluation Likelihood::evaluate(std::span<const double> point, std::span<double> gradient) {
  fit::Evaluation sum;
  fit::Evaluation outside{.value = 0, .feasible = false, .reason = {}};
  std::vector<double> inside_gradient(gradient.size());
  std::fill(gradient.begin(), gradient.end(),
            0.0);  // of the penalty, until all is known to be feasible
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    std::vector<double> own(gradient.empty() ? 0 : places_[i].size());
    const fit::Evaluation part = terms_[i]->evaluate(point_of(i, point), own);
    sum.value += part.feasible ? part.value : 0.0;
    outside.value += part.feasible ? 0.0 : part.value;
    if (!part.feasible && outside.reason.empty()) {
      outside.reason = part.reason;
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
      (part.feasible ? inside_gradient[places_[i][k]] : gradient[places_[i][k]]) += own[k];
    }
  }
  if (!outside.reason.empty()) {
    return outside;
  }
  std::copy(inside_gradient.begin(), inside_gradient.end(), gradient.begin());
  return sum;
}

fit::Evaluation Likelihood::value(std::span<const double> point) {
  return evaluate(point, {});
}

fit::Evaluation Likelihood::value_and_gradient(std::span<const double> point,
                                               std::span<double> gradient) {
  return evaluate(point, gradient);
}

void Likelihood::add(std::size_t term, const fit::SquareMatrix& part,
                     fit::SquareMatrix& sum) const {
  const std::vector<std::size_t>& places = places_[term];
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      sum(places[i], places[j]) += part(i, j);
    }
  }
}

std::optional<fit::SquareMatrix> Likelihood::hessian(std::span<const double> point) {
  fit::SquareMatrix sum(parameters_.size());
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    add(i, terms_[i]->hessian(point_of(i, point)), sum);
  }
  return sum;
}

fit::SquareMatrix Likelihood::squared_scores(std::span<const double> point) {
  fit::SquareMatrix sum(parameters_.size());
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    add(i, terms_[i]->squared_scores(point_of(i, point)), sum);
  }
  return sum;
}

std::optional<std::int64_t> Likelihood::data_count() const noexcept {
  std::int64_t count = 0;
  for (const auto& term : terms_) {
    count += term->data_count();
  }
  return count;
}

bool Likelihood::errors_are_statistical() const noexcept {
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const auto& term) { return term->is_statistical(); });
}

bool Likelihood::is_weighted() const noexcept {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const auto& term) { return term->is_weighted(); });
}

}  // namespace weir::likelihood
