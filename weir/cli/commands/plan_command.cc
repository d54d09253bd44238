#include "weir/cli/command.h"
#include "weir/cli/run_plan.h"

namespace weir::cli {
namespace {
struct Plan {
  std::string spec;
  std::vector<std::string> set;
  bool overwrite = false;
  std::string output_dir;
  bool json = false;
};

void run(const Plan& arguments, Terminal& terminal) {
  const auto spec = load_spec(arguments.spec, arguments.set);
  const auto plan =
      plan_spec(arguments.spec, spec, plan_options(arguments.overwrite, arguments.output_dir));
  terminal.print(arguments.json ? to_json(plan.json(), 2) + '\n' : plan.text());
}
}  // namespace

const Command& plan_command() {
  static const auto kCommand = make_command<Plan>({
      .name = "plan",
      .group = Group::pipelines,
      .summary = "Show what a spec would do: steps, memory, precision; run nothing.",
      .schema =
          op::Schema<Plan>{
              op::field("spec", &Plan::spec,
                        {.required = true,
                         .doc = "A spec in TOML or JSON, or \"-\" for standard input."}),
              op::field("set", &Plan::set,
                        {.doc = "Change a field: node.field=value or execution.field=value; a path "
                                "is from the current folder. May "
                                "be given often."}),
              op::field("overwrite", &Plan::overwrite, {.doc = "Accept outputs that exist."}),
              op::field("output_dir", &Plan::output_dir,
                        {.doc = "Plan for outputs in this folder, as in run."}),
              op::field("json", &Plan::json, {.doc = "Print the plan as JSON."})},
      .positional = {"spec"},
      .examples = {"pipeline.toml", "pipeline.toml --set execution.memory=\"256 MiB\""},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
