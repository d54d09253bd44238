#pragma once

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

// What the parts of a run hold, claimed in planning.

/// The steps of a graph on the CPU: their states, and the blocks that `threads` threads carry.
void claim_steps(const Graph& graph, std::int64_t tile, std::int64_t threads, MemoryBudget& budget);
/// The largest fit of a graph: they follow one another.
void claim_fits(const Graph& graph, std::int64_t threads, MemoryBudget& budget);
/// Rows and events on their way to the writers, and the writers.
void claim_outputs(const InputPlan& plan, Placement& place);

/// How many tasks of a step's fitter run at once: as many as there are threads, but no more than an
/// eighth of the cap has room for.
std::int64_t fit_tasks_at_once(const op::Step& step, std::int64_t threads, std::size_t cap);

}  // namespace weir::pipeline
