#include "weir/analysis/expected_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/model/expr/gauss_legendre.h"
#include "weir/model/expr/operations.h"
#include "weir/model/run/prepared_model.h"

namespace weir::analysis {
namespace {

constexpr std::size_t kPoints = 4;

std::shared_ptr<model::ResidentTable> nodes_of(const std::string& variable,
                                               const std::vector<double>& edges,
                                               const model::QuadratureRule& rule) {
  std::vector<double> nodes;
  for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
    for (const double node : rule.nodes) {
      nodes.push_back((edges[bin] + edges[bin + 1]) / 2 + node * (edges[bin + 1] - edges[bin]) / 2);
    }
  }
  auto table =
      std::make_shared<model::ResidentTable>("the bins", static_cast<std::int64_t>(nodes.size()));
  table->add_column(variable, nodes);
  return table;
}

std::vector<double> sums_of_bins(const std::vector<double>& values,
                                 const std::vector<double>& edges,
                                 const model::QuadratureRule& rule, double scale) {
  std::vector<double> sums;
  for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
    double sum = 0;
    for (std::size_t i = 0; i < kPoints; ++i) {
      sum += rule.weights[i] * values[bin * kPoints + i];
    }
    sums.push_back(sum * scale * (edges[bin + 1] - edges[bin]) / 2);
  }
  return sums;
}

}  // namespace

ExpectedCounts expected_counts(const PreparedFit& fit, const Outcome& outcome,
                               const std::vector<double>& edges) {
  const std::string& variable = fit.analysis.model.variable;
  std::vector<model::Expr> parts = {fit.expressions.density};
  for (const auto& [name, expression] : fit.expressions.components) {
    parts.push_back(expression);
  }
  for (const std::string& column : model::columns_of(parts)) {
    if (column != variable) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("a picture of a density that reads {} beside its variable {} is not drawn",
                      column, variable));
    }
  }
  const model::QuadratureRule rule = model::gauss_legendre(kPoints);
  const model::PreparedModel model(model::vector(parts));
  std::vector<double> point;
  for (const auto& parameter : model.parameters()) {
    const auto& fitted = outcome.result.parameters;
    const auto at = std::find_if(fitted.begin(), fitted.end(), [&](const auto& p) {
      return p.parameter.name == parameter->name;
    });
    point.push_back(at == fitted.end() ? model::start_of(*parameter) : at->value);
  }
  const auto values = model.evaluate(point, model.prepare(nodes_of(variable, edges, rule)));
  ExpectedCounts expected{.total = sums_of_bins(values[0], edges, rule, outcome.scale),
                          .components = {}};
  for (std::size_t i = 0; i < fit.expressions.components.size(); ++i) {
    expected.components.emplace_back(fit.expressions.components[i].first,
                                     sums_of_bins(values[i + 1], edges, rule, outcome.scale));
  }
  return expected;
}

}  // namespace weir::analysis
