#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/analysis/analysis.h"
#include "weir/model/expr/expr.h"

namespace weir::analysis {

struct Constraint {
  std::string name;
  model::Expr expression;
  double mean = 0;
  double sigma = 1;
};

/// The expressions of an analysis. Those of `data` read columns of the file alone; the density
/// reads them and `derived` by name.
struct Expressions {
  std::vector<std::pair<std::string, model::Expr>> derived;
  std::optional<model::Expr> where;
  std::optional<model::Expr> weight;
  std::vector<std::pair<std::string, model::Expr>> components;
  model::Expr density = 0.0;
  std::vector<Constraint> constraints;
};

/// Parses them. `file_columns`: what the file has, components of four-momenta as "p.e".
/// Errors: `invalid_spec` naming section and field: an unknown column or parameter with the nearest
/// name, a kind that does not fit, a parameter that nothing uses.
Expressions parse_expressions(const Analysis& analysis,
                              const std::vector<std::string>& file_columns);

/// The columns of the file that they read.
std::vector<std::string> columns_of_file(const Analysis& analysis, const Expressions& expressions);

}  // namespace weir::analysis
