#pragma once

#include <filesystem>
#include <vector>

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// The small files that will be written beside an output: its sidecar, unless it is a table or a
/// folder that holds its own description, and its provenance; snippets have a table with its own.
std::vector<std::filesystem::path> companions_of(const PlannedOutput& output);

/// Refuses to replace companions that no run of ours wrote; those left of an output that is gone
/// describe nothing and may be replaced. Errors: `output_exists` naming the file.
void check_companions(const PlannedOutput& output);

}  // namespace weir::pipeline
