#include "weir/analysis/analysis_report.h"

#include <fmt/format.h>

#include "weir/core/text.h"
#include "weir/core/version.h"
#include "weir/fit/fit_report.h"
#include "weir/model/expr/text_form.h"

namespace weir::analysis {
namespace {

constexpr int kDocumentVersion = 1;

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::nll:
      return "nll";
    case Kind::extended_nll:
      return "extended_nll";
    case Kind::binned_nll:
      return "binned_nll";
    case Kind::chi2:
      return "chi2";
  }
  return {};
}

std::string events_line(const PreparedFit& fit) {
  const Events& events = fit.events;
  std::string text = fmt::format("{}: {} rows", fit.analysis.data.file, grouped(events.rows_read));
  if (fit.expressions.where) {
    text += fmt::format(", {} cut", grouped(events.rows_cut));
  }
  if (events.rows_outside > 0) {
    text += fmt::format(", {} outside the range", grouped(events.rows_outside));
  }
  text += fmt::format(", {} fitted", grouped(events.table->rows()));
  if (!events.weights.empty()) {
    text += fmt::format(" (weights sum to {:.6g})", events.table->sum_of_weights());
  }
  return text + '\n';
}

}  // namespace

std::string analysis_report(const PreparedFit& fit, const Outcome& outcome) {
  return events_line(fit) +
         fmt::format("{} of {}, normalised {}\n\n", name_of(fit.analysis.likelihood.kind),
                     fit.analysis.model.variable, fit.normalisation) +
         fit::to_text(outcome.result);
}

Value analysis_document(const PreparedFit& fit, const Outcome& outcome) {
  const Events& events = fit.events;
  Value data = Value::object();
  data.set("file", fit.analysis.data.file);
  data.set("rows", events.rows_read);
  data.set("cut", events.rows_cut);
  data.set("outside", events.rows_outside);
  data.set("fitted", events.table->rows());
  data.set("sum_of_weights", events.table->sum_of_weights());
  Value document = Value::object();
  document.set("weir_analysis_result", kDocumentVersion);
  document.set("weir", version());
  document.set("data", data);
  document.set("variable", fit.analysis.model.variable);
  document.set("density", model::print(fit.expressions.density));
  document.set("likelihood", name_of(fit.analysis.likelihood.kind));
  document.set("normalisation", fit.normalisation);
  document.set("fit", fit::to_value(outcome.result));
  return document;
}

}  // namespace weir::analysis
