#pragma once

#include <string>

#include "weir/core/value.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/run.h"

namespace weir::pipeline {

/// Versions of the libraries whose answers end up in files.
Value library_versions();

/// The provenance of one output: what was run, by what, on what, and how it went. `weir run` on it
/// repeats the run.
std::string provenance(const PlanData& data, const InputPlan& input, const Placement& place,
                       const Value& fits, const Report& report);

}  // namespace weir::pipeline
