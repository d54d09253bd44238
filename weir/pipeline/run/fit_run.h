#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weir/core/value.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/threads.h"

namespace weir::pipeline {

/// A stretch of one node's input stream, in frames of its segment.
struct FitStretch {
  std::int64_t segment = 0;
  std::int64_t first = 0;
  std::int64_t frames = 0;
};

/// The frames a fit looks at. Of `sample`, 20 stretches of half a second spread evenly over all
/// segments, cut at segment ends; everything when there is no more than that, and of `whole`.
/// Source: pipeline_spec.md, "Events from crossings".
std::vector<FitStretch> fit_stretches(const StreamInfo& stream, op::Fit fit);

/// How far the fits of an input have come.
struct FitProgress {
  double seconds_done = 0;      ///< Of recording.
  double seconds_total = 0;     ///< Of recording, over all fits.
  std::int64_t bytes_read = 0;  ///< Since the last time.
};
/// Called on the caller's thread, often; throws to cancel.
using FitTick = std::function<void(const FitProgress&)>;

/// Fits what the steps of `graph` ask for, parents first, and puts the fitted steps in their
/// places. Returns the values by node name, as they stand in the provenance. Reads the input; the
/// same for every chunking.
Value fit_steps(const InputPlan& plan, const Placement& place, Graph& graph, Threads& threads,
                const FitTick& tick);

/// Puts in the values of an earlier fit (a checkpoint's) instead.
void use_fits(const Value& values, Graph& graph);

}  // namespace weir::pipeline
