#pragma once

#include <string>
#include <vector>

#include "weir/cli/terminal.h"
#include "weir/pipeline/run/run.h"

namespace weir::cli {

/// Everything this program has, for planning.
pipeline::Catalog full_catalog();

/// `output_dir`: as typed, empty for none.
pipeline::PlanOptions plan_options(bool overwrite, const std::string& output_dir);

/// Loads a spec with the operators this program has.
/// Errors: as `pipeline::load_spec`; says so when `file` is a recording.
pipeline::Spec load_spec(const std::string& file, const std::vector<std::string>& overrides);

/// Plans with everything this program has.
/// Errors: as `pipeline::make_plan`, with the file of the spec before each.
pipeline::Plan plan_spec(const std::string& file, const pipeline::Spec& spec,
                         const pipeline::PlanOptions& options);

/// Runs a plan with progress shown and Ctrl-C heeded.
/// Errors: as `pipeline::run`; `cancelled` after Ctrl-C.
pipeline::Report run_plan(const pipeline::Plan& plan, Terminal& terminal);

enum class ReportStyle { text, json };
/// Prints the report; its warnings stand in it.
void print_report(const pipeline::Report& report, ReportStyle style, Terminal& terminal);

}  // namespace weir::cli
