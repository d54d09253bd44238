#pragma once

#include <filesystem>

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// Where a run with `resume` keeps what it needs to go on: beside the input's first output.
std::filesystem::path checkpoint_path(const InputPlan& input);

/// An existing output that belongs to a run which was killed while it committed: it is complete and
/// is left alone.
bool may_be_resumed(const PlanData& data, const InputPlan& input, const PlannedOutput& output);

}  // namespace weir::pipeline
