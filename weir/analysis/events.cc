#include "weir/analysis/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/model/expr/operations.h"
#include "weir/model/run/prepared_model.h"

namespace weir::analysis {
namespace {

bool inside(double value, const std::vector<std::vector<double>>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return value >= range[0] && value <= range[1]; });
}

/// The columns that the density reads, each a column of the file or an expression of such.
class Columns {
 public:
  Columns(const Analysis& analysis, const Expressions& expressions, const FileColumns& file)
      : expressions_(expressions), threads_(static_cast<int>(analysis.minimiser.threads)) {
    auto table = std::make_shared<model::ResidentTable>(analysis.data.file, file.rows);
    for (std::size_t i = 0; i < file.names.size(); ++i) {
      table->add_column(file.names[i], file.values[i]);
    }
    table_ = std::move(table);
  }

  std::vector<double> of(const model::Expr& expression) const {
    const model::PreparedModel model(expression, {.threads = threads_});
    return std::move(model.evaluate({}, model.prepare(table_)).front());
  }

  std::vector<double> named(const std::string& name) const {
    for (const auto& [derived, expression] : expressions_.derived) {
      if (derived == name) {
        return of(expression);
      }
    }
    return of(model::column(name));
  }

 private:
  const Expressions& expressions_;
  int threads_;
  std::shared_ptr<const model::ResidentTable> table_;
};

std::vector<double> kept(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const std::size_t row : rows) {
    result.push_back(values[row]);
  }
  return result;
}

/// Errors: `invalid_spec` naming the row where a kept one has no number.
void require_numbers(const Analysis& analysis, const std::string& name,
                     const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  for (const std::size_t row : rows) {
    if (std::isnan(values[row])) {
      throw Error(ErrorCode::invalid_spec, fmt::format("{}: {} of row {} is null or no number",
                                                       analysis.data.file, name, row));
    }
  }
}

/// The rows that pass; counts the others.
std::vector<std::size_t> rows_that_pass(const Analysis& analysis, const std::vector<double>& x,
                                        const std::vector<double>& passes, Events& events) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (passes[row] == 0) {
      ++events.rows_cut;
      continue;
    }
    if (std::isnan(x[row])) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: {} of row {} is null or no number", analysis.data.file,
                              analysis.model.variable, row));
    }
    if (inside(x[row], analysis.model.range)) {
      rows.push_back(row);
    } else {
      ++events.rows_outside;
    }
  }
  if (rows.empty()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: no event is left to fit: of {} rows {} do not pass data.where and "
                            "{} lie outside model.range",
                            analysis.data.file, grouped(static_cast<std::int64_t>(x.size())),
                            grouped(events.rows_cut), grouped(events.rows_outside)));
  }
  return rows;
}

}  // namespace

Events select_events(const Analysis& analysis, const Expressions& expressions,
                     const FileColumns& file) {
  Events events;
  events.rows_read = file.rows;
  const Columns columns(analysis, expressions, file);
  const std::string& variable = analysis.model.variable;
  const std::vector<double> x = columns.named(variable);
  const std::vector<double> passes =
      expressions.where ? columns.of(*expressions.where) : std::vector<double>(x.size(), 1.0);
  const std::vector<std::size_t> rows = rows_that_pass(analysis, x, passes, events);
  events.variable = kept(x, rows);
  events.table = std::make_shared<model::ResidentTable>(analysis.data.file,
                                                        static_cast<std::int64_t>(rows.size()));
  events.table->add_column(variable, events.variable);
  for (const std::string& name : model::columns_of({&expressions.density, 1})) {
    if (name != variable) {
      const std::vector<double> values = columns.named(name);
      require_numbers(analysis, name, values, rows);
      events.table->add_column(name, kept(values, rows));
    }
  }
  if (expressions.weight) {
    const std::vector<double> weights = columns.of(*expressions.weight);
    require_numbers(analysis, "data.weight", weights, rows);
    events.weights = kept(weights, rows);
    events.table->set_weights(events.weights);
  }
  return events;
}

}  // namespace weir::analysis
