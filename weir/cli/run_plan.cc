#include "weir/cli/run_plan.h"

#include <chrono>

#include "weir/catalog/catalog.h"
#include "weir/cli/interrupt.h"
#include "weir/cli/progress_line.h"
#include "weir/core/error.h"

namespace weir::cli {
namespace {
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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

pipeline::Plan plan_spec(const std::string& file, const pipeline::Spec& spec,
                         const pipeline::PlanOptions& options) {
  try {
    return pipeline::make_plan(spec, full_catalog(), options);
  } catch (const Error& error) {
    pipeline::rethrow_naming(file == "-" ? "standard input" : file, error);
  }
}

pipeline::Report run_plan(const pipeline::Plan& plan, Terminal& terminal) {
  const Interrupt interrupt;
  ProgressLine line(terminal, &seconds_now);
  return pipeline::run(plan, [&](const Progress& progress) {
    if (Interrupt::requested()) {
      line.stopping();
      return false;
    }
    line.show(progress);
    return true;
  });
}

void print_report(const pipeline::Report& report, ReportStyle style, Terminal& terminal) {
  terminal.print(style == ReportStyle::json ? to_json(report.json(), 2) + '\n' : report.text());
}

}  // namespace weir::cli
