#include "weir/cli/run_plan.h"

#include <fmt/format.h>

#include "weir/catalog/catalog.h"
#include "weir/cli/watch.h"
#include "weir/core/error.h"

namespace weir::cli {
namespace {
/// The format of `file`, if it is a recording.
const formats::Format* recording_format(const std::string& file) {
  try {
    return file == "-" ? nullptr : &catalog::formats().detect(file);
  } catch (const Error&) {
    return nullptr;
  }
}
}  // namespace

pipeline::Catalog full_catalog() {
  return {catalog::operators(), catalog::formats()};
}

pipeline::PlanOptions plan_options(bool overwrite, const std::string& output_dir) {
  pipeline::PlanOptions options;
  options.overwrite = overwrite;
  if (!output_dir.empty()) {
    options.output_dir = output_dir;
  }
  return options;
}

pipeline::Spec load_spec(const std::string& file, const std::vector<std::string>& overrides) {
  try {
    return pipeline::load_spec(file, overrides, catalog::operators());
  } catch (const Error&) {
    if (const auto* format = recording_format(file)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: is a recording ({}), not a spec: weir info shows what it holds, "
                              "and a spec reads it by a node with op = \"read\"",
                              file, format->name));
    }
    throw;
  }
}

pipeline::Plan plan_spec(const std::string& file, const pipeline::Spec& spec,
                         const pipeline::PlanOptions& options) {
  try {
    return pipeline::make_plan(spec, full_catalog(), options);
  } catch (const Error& error) {
    pipeline::rethrow_naming(file == "-" ? "standard input" : file, error);
  }
}

pipeline::Report run_plan(const pipeline::Plan& plan, Terminal& terminal) {
  Watch watch(terminal);
  return pipeline::run(plan, [&](const Progress& progress) { return watch.goes_on(progress); });
}

void print_report(const pipeline::Report& report, ReportStyle style, Terminal& terminal) {
  terminal.print(style == ReportStyle::json ? to_json(report.json(), 2) + '\n' : report.text());
}

}  // namespace weir::cli
