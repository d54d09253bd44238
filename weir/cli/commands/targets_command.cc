#include "weir/cli/command.h"
#include "weir/cli/text_table.h"
#include "weir/compute/target.h"

namespace weir::cli {
namespace {
struct Targets {};

void run(const Targets&, Terminal& terminal) {
  TextTable table;
  table.row({"cpu", compute::cpu_description()});
  terminal.print(table.text());
}
}  // namespace

const Command& targets_command() {
  static const auto command = make_command<Targets>({
      .name = "targets",
      .summary = "Show the devices found, and why others were not.",
      .schema = op::Schema<Targets>{},
      .run = &run,
  });
  return *command;
}

}  // namespace weir::cli
