#include "weir/cli/command.h"
#include "weir/cli/run_plan.h"

namespace weir::cli {
namespace {
struct Run {
  std::string spec;
  std::vector<std::string> set;
  bool overwrite = false;
  bool resume = false;
  std::string output_dir;
  bool json = false;
};

void run(const Run& arguments, Terminal& terminal) {
  auto spec = load_spec(arguments.spec, arguments.set);
  spec.execution.resume |= arguments.resume;
  auto options = plan_options(arguments.overwrite, arguments.output_dir);
  options.mend_outputs = true;
  const auto plan = plan_spec(arguments.spec, spec, options);
  print_report(run_plan(plan, terminal), arguments.json ? ReportStyle::json : ReportStyle::text,
               terminal);
}
}  // namespace

const Command& run_command() {
  static const auto kCommand = make_command<Run>({
      .name = "run",
      .group = Group::pipelines,
      .summary = "Run a pipeline spec and report what was read, computed and written.",
      .schema =
          op::Schema<Run>{
              op::field("spec", &Run::spec,
                        {.required = true,
                         .doc = "A spec in TOML or JSON, \"-\" for standard input, or the "
                                "<output>.weir.json of an earlier run, to repeat it (with "
                                "--overwrite or --output-dir)."}),
              op::field(
                  "set", &Run::set,
                  {.doc = "Change a field: node.field=value or execution.field=value; a path is "
                          "from the current folder. May be given often."}),
              op::field("overwrite", &Run::overwrite, {.doc = "Replace outputs that exist."}),
              op::field("resume", &Run::resume,
                        {.doc = "Write checkpoints, and go on from the one a stopped run left."}),
              op::field(
                  "output_dir", &Run::output_dir,
                  {.doc = "Write every output into this folder, by the last part of its path; two "
                          "of one name are refused."}),
              op::field("json", &Run::json, {.doc = "Print the report as JSON."})},
      .positional = {"spec"},
      .examples = {"pipeline.toml", "pipeline.toml --set band.order=3 --output-dir out",
                   "out/ap.zarr.weir.json --overwrite"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
