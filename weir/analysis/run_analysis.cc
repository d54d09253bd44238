#include "weir/analysis/run_analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/analysis/build_terms_internal.h"
#include "weir/analysis/read_columns_internal.h"
#include "weir/core/error.h"
#include "weir/fit/minimise.h"
#include "weir/fit/minos.h"
#include "weir/fit/weighted_covariance.h"
#include "weir/likelihood/unbinned_term.h"

namespace weir::analysis {
namespace {

std::vector<model::Parameter> fixed_of(const Analysis& analysis) {
  std::vector<model::Parameter> fixed;
  std::copy_if(analysis.parameters.begin(), analysis.parameters.end(), std::back_inserter(fixed),
               [](const auto& p) { return p.fixed; });
  return fixed;
}

/// Parameters in the order of the document.
void sort_as_written(fit::FitResult& result, const Analysis& analysis) {
  const auto place = [&](const fit::FittedParameter& p) {
    return std::find_if(analysis.parameters.begin(), analysis.parameters.end(),
                        [&](const auto& known) { return known.name == p.parameter.name; });
  };
  std::vector<std::size_t> order(result.parameters.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return place(result.parameters[a]) < place(result.parameters[b]);
  });
  std::vector<fit::FittedParameter> parameters;
  fit::SquareMatrix covariance(result.covariance.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    parameters.push_back(result.parameters[order[i]]);
    for (std::size_t j = 0; !result.covariance.empty() && j < order.size(); ++j) {
      covariance(i, j) = result.covariance(order[i], order[j]);
    }
  }
  result.parameters = std::move(parameters);
  result.covariance = std::move(covariance);
}

const likelihood::UnbinnedTerm* unbinned_of(const PreparedFit& fit) {
  return dynamic_cast<const likelihood::UnbinnedTerm*>(fit.likelihood->terms().front().get());
}

double scale_of(const PreparedFit& fit, const fit::FitResult& result) {
  const likelihood::UnbinnedTerm* term = unbinned_of(fit);
  if (term == nullptr || fit.analysis.likelihood.kind != Kind::nll) {
    return 1.0;
  }
  std::vector<double> point;
  for (const auto& parameter : term->parameters()) {
    point.push_back(result.value(parameter->name));
  }
  return fit.events.table->sum_of_weights() / term->normalisation(point);
}

}  // namespace

PreparedFit prepare_fit(Analysis analysis, const formats::FormatList& formats) {
  PreparedFit fit{.analysis = std::move(analysis),
                  .expressions = {},
                  .events = {},
                  .likelihood = nullptr,
                  .normalisation = {}};
  const OpenedTable table = open_table(fit.analysis.data, formats);
  fit.expressions = parse_expressions(fit.analysis, table.columns);
  fit.events = select_events(fit.analysis, fit.expressions,
                             read_columns(table, columns_of_file(fit.analysis, fit.expressions)));
  if (!fit.events.weights.empty() && !fit.analysis.minimiser.minos.empty()) {
    throw Error(ErrorCode::invalid_spec,
                "minimiser.minos: events have weights (data.weight), and the rise of a weighted "
                "likelihood measures no error; leave minos out: the "
                "covariance accounts for weights");
  }
  BuiltTerms built = build_terms(fit.analysis, fit.expressions, fit.events);
  fit.normalisation = std::move(built.normalisation);
  const std::vector<model::Parameter> fixed = fixed_of(fit.analysis);
  fit.likelihood = std::make_unique<likelihood::Likelihood>(std::move(built.terms), fixed);
  return fit;
}

Outcome run_fit(PreparedFit& fit) {
  const MinimiserSection& section = fit.analysis.minimiser;
  const fit::FitOptions options{.minimiser = fit::minimiser_called(section.method),
                                .strategy = static_cast<int>(section.strategy),
                                .tolerance = section.tolerance,
                                .max_calls = section.max_calls,
                                .hesse = true,
                                .restarts = static_cast<int>(section.restarts),
                                .seed = static_cast<std::uint64_t>(section.seed)};
  Outcome outcome;
  outcome.result = fit::minimise(*fit.likelihood, options);
  if (!section.minos.empty() && outcome.result.valid) {
    const bool all = section.minos.size() == 1 && section.minos.front() == "all";
    fit::minos(*fit.likelihood, outcome.result, all ? std::vector<std::string>{} : section.minos, 1,
               options);
  }
  if (fit.likelihood->is_weighted() && section.covariance != Covariance::naive &&
      outcome.result.valid) {
    fit::correct_for_weights(outcome.result, "asymptotic",
                             fit.likelihood->squared_scores(outcome.result.point()));
  }
  outcome.scale = scale_of(fit, outcome.result);
  sort_as_written(outcome.result, fit.analysis);
  return outcome;
}

}  // namespace weir::analysis
