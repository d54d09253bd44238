#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/model/compile/scalar_graph.h"
#include "weir/model/expr/expr.h"

namespace weir::model {

/// Names of a graph's leaves by their index.
struct Symbols {
  std::vector<std::shared_ptr<const Parameter>>
      parameters;                    ///< Free ones: the fixed are constants.
  std::vector<std::string> columns;  ///< As columns_of gives them.
};

/// Takes expressions apart into real operations of one graph. Expressions that share nodes share
/// values.
class Lowering {
 public:
  explicit Lowering(ScalarGraph& graph);
  ~Lowering();
  Lowering(const Lowering&) = delete;
  Lowering& operator=(const Lowering&) = delete;

  /// Element by element, row by row: for a real or truth value one value each, for a complex one
  /// two, re and im. Errors: `invalid_spec` where a parameter's name has two definitions;
  /// `unsupported` for a solve of more than 16 rows.
  std::vector<Value> lower(const Expr& expression);

  /// ln of a real expression, from the log forms of its densities where that holds: of a density
  /// itself, of products and quotients with one, of a selection between such.
  Value lower_log(const Expr& expression);

  const Symbols& symbols() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir::model
