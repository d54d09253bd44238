#pragma once

#include <filesystem>
#include <string>

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// Where a run with `resume` keeps what it needs to go on: beside the input's first output.
std::filesystem::path checkpoint_path(const InputPlan& input);

/// An existing output that belongs to a run which was killed while it committed: it is complete and
/// is left alone.
bool may_be_resumed(const PlanData& data, const InputPlan& input, const PlannedOutput& output);

/// What must be the same for a checkpoint to be continued, as JSON.
std::string run_identity(const PlanData& data, const InputPlan& input, const Placement& place);

/// What computes there, as it stands in provenance and checkpoints: the instruction set of the CPU,
/// and before it the device and its driver.
std::string place_description(const Placement& place);

/// Whether a run with `resume` finds that a run of this very spec, program, target and input has
/// ended: every output stands with its companions, the provenance says so, and no checkpoint is
/// left. With `overwrite` nothing counts as done.
bool already_complete(const PlanData& data, const InputPlan& input);

}  // namespace weir::pipeline
