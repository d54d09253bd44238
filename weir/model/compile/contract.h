#pragma once

#include <vector>

#include "weir/model/compile/scalar_graph.h"

namespace weir::model {

/// A graph of what some outputs need, and nothing else.
struct OutputGraph {
  ScalarGraph graph;
  std::vector<Value> outputs;
};

/// The graph with every sum of a product that nothing else uses made one multiplication and
/// addition, rounded once. It is done here, on the graph, so that every back end rounds alike.
OutputGraph contracted(const ScalarGraph& graph, const std::vector<Value>& outputs);

}  // namespace weir::model
