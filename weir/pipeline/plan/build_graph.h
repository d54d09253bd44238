#pragma once

#include <map>
#include <string>
#include <vector>

#include "weir/pipeline/plan/known_events.h"
#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// Which graph node carries each spec node's output.
using NodeIndex = std::map<std::string, std::int64_t>;

/// Binds the spec's operators to the streams they get, from the reader down, inserting conversions.
/// A node that cannot be bound becomes a problem and what hangs below it is skipped.
NodeIndex build_graph(const Spec& spec, const Catalog& catalog, const EventSources& sources,
                      std::size_t step_memory, InputPlan& plan, std::vector<Problem>& problems);

/// Where what is written comes from.
struct OutputOrigins {
  const NodeIndex& nodes;
  const EventSources& sources;
};

/// Binds the `write` nodes: format, path, conversion, channels.
void build_outputs(const Spec& spec, const Catalog& catalog, const PlanOptions& options,
                   const OutputOrigins& origins, InputPlan& plan, std::vector<Problem>& problems);

}  // namespace weir::pipeline
