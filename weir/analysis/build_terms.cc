#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "weir/analysis/build_terms_internal.h"
#include "weir/analysis/histogram.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/likelihood/expression_term.h"
#include "weir/likelihood/unbinned_term.h"

namespace weir::analysis {
namespace {

using likelihood::Normalisation;
using Ranges = std::vector<std::pair<double, double>>;

constexpr int kFirstPieces = 8;
constexpr int kMostPieces = 4096;
constexpr double kGoodIntegral = 1e-11;

Ranges ranges_of(const Analysis& analysis) {
  Ranges ranges;
  for (const auto& range : analysis.model.range) {
    ranges.emplace_back(range[0], range[1]);
  }
  return ranges;
}

double integral_at_start(const Normalisation& normalisation) {
  const model::PreparedModel model(normalisation.model);
  std::vector<double> start;
  for (const auto& parameter : model.parameters()) {
    start.push_back(model::start_of(*parameter));
  }
  return model
      .reduce(start, model.prepare(normalisation.table), model::Plan::weighted_positive_real,
              model::Domain::nan)
      .value;
}

/// As many pieces as the integral at the start needs to be the same with half of them.
Normalisation quadrature(const Analysis& analysis, const model::Expr& density) {
  int pieces = kFirstPieces;
  Normalisation coarse = likelihood::numeric_normalisation(density, analysis.model.variable,
                                                           ranges_of(analysis), pieces);
  double before = integral_at_start(coarse);
  for (; pieces < kMostPieces;) {
    pieces *= 2;
    Normalisation fine = likelihood::numeric_normalisation(density, analysis.model.variable,
                                                           ranges_of(analysis), pieces);
    const double now = integral_at_start(fine);
    if (std::fabs(now - before) <= kGoodIntegral * std::fabs(now)) {
      break;
    }
    before = now;
    coarse = std::move(fine);
  }
  // Twice as fine as the start needs: a fit may make a peak narrower.
  return likelihood::numeric_normalisation(density, analysis.model.variable, ranges_of(analysis),
                                           std::min(2 * pieces, kMostPieces));
}

std::optional<Normalisation> normalisation_of(const Analysis& analysis, const model::Expr& density,
                                              std::string& how) {
  const NormalisationChoice choice = analysis.likelihood.normalisation;
  if (choice == NormalisationChoice::none) {
    how = "of the density itself";
    return std::nullopt;
  }
  if (choice != NormalisationChoice::numeric) {
    if (auto closed = likelihood::analytic_normalisation(density, analysis.model.variable,
                                                         ranges_of(analysis))) {
      how = "in closed form";
      return closed;
    }
    if (choice == NormalisationChoice::analytic) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format(
              "likelihood.normalisation: the density has no closed integral over {}; use numeric",
              analysis.model.variable));
    }
  }
  Normalisation numeric = quadrature(analysis, density);
  how = fmt::format("by quadrature over {} points", grouped(numeric.table->rows()));
  return numeric;
}

void check_columns(const Analysis& analysis, const Expressions& expressions) {
  for (const std::string& column : model::columns_of({&expressions.density, 1})) {
    if (column != analysis.model.variable &&
        analysis.likelihood.normalisation != NormalisationChoice::none) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("model.density: it reads {} beside the variable {}; a density of several "
                      "columns can be fitted with likelihood.normalisation = \"none\" only",
                      column, analysis.model.variable));
    }
  }
}

std::unique_ptr<likelihood::Term> binned_term(const Analysis& analysis,
                                              const Expressions& expressions, std::string name,
                                              BinnedData data) {
  const model::Execution execution{.threads = static_cast<int>(analysis.minimiser.threads)};
  const likelihood::Histogram counts{
      .column = analysis.model.variable, .edges = data.edges, .counts = data.counts};
  if (analysis.likelihood.kind == Kind::binned_nll) {
    const auto constants = analysis.likelihood.constants == ConstantsChoice::full
                               ? likelihood::Constants::full
                               : likelihood::Constants::reduced;
    return binned_nll(std::move(name), expressions.density, counts, constants, execution);
  }
  std::vector<double> errors;
  for (std::size_t bin = 0; bin < data.counts.size(); ++bin) {
    if (!(data.squares[bin] > 0)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("likelihood.kind: chi2 needs events in every bin; [{}, {}] has none: "
                              "use fewer bins or binned_nll",
                              data.edges[bin], data.edges[bin + 1]));
    }
    errors.push_back(std::sqrt(data.squares[bin]));
  }
  return chi2(std::move(name), expressions.density, counts, errors, execution);
}

/// One term a range.
std::vector<std::unique_ptr<likelihood::Term>> binned_terms(const Analysis& analysis,
                                                            const Expressions& expressions,
                                                            const Events& events) {
  if (analysis.likelihood.kind == Kind::binned_nll && !events.weights.empty()) {
    throw Error(ErrorCode::invalid_spec,
                "likelihood.kind: counts of binned_nll are Poisson's; events with weights need "
                "nll, extended_nll or chi2");
  }
  const Binning binning = binning_of(analysis.model.range, analysis.likelihood.bins);
  std::vector<std::unique_ptr<likelihood::Term>> terms;
  std::vector<double> edges = {binning.edges.front()};
  const auto close = [&] {
    if (edges.size() > 1) {
      std::string name = fmt::format("bins of [{}, {}]", edges.front(), edges.back());
      terms.push_back(binned_term(analysis, expressions, std::move(name),
                                  histogram(events.variable, events.weights, edges)));
    }
  };
  for (std::size_t bin = 0; bin < binning.in_range.size(); ++bin) {
    if (!binning.in_range[bin]) {
      close();
      edges.clear();
    }
    edges.push_back(binning.edges[bin + 1]);
  }
  close();
  return terms;
}

}  // namespace

BuiltTerms build_terms(const Analysis& analysis, const Expressions& expressions,
                       const Events& events) {
  check_columns(analysis, expressions);
  BuiltTerms built;
  const bool unbinned =
      analysis.likelihood.kind == Kind::nll || analysis.likelihood.kind == Kind::extended_nll;
  if (unbinned) {
    auto normalisation = normalisation_of(analysis, expressions.density, built.normalisation);
    const auto kind = analysis.likelihood.kind == Kind::nll
                          ? likelihood::UnbinnedKind::nll
                          : likelihood::UnbinnedKind::extended_nll;
    built.terms.push_back(std::make_unique<likelihood::UnbinnedTerm>(
        "data", expressions.density, events.table, kind, std::move(normalisation),
        model::Execution{.threads = static_cast<int>(analysis.minimiser.threads)}));
  } else {
    built.normalisation = "bin by bin";
    built.terms = binned_terms(analysis, expressions, events);
  }
  for (const Constraint& constraint : expressions.constraints) {
    built.terms.push_back(likelihood::gaussian_constraint(constraint.name, constraint.expression,
                                                          constraint.mean, constraint.sigma));
  }
  return built;
}

}  // namespace weir::analysis
