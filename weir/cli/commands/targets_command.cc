#include <fmt/format.h>

#include "weir/cli/command.h"
#include "weir/cli/text_table.h"
#include "weir/compute/kernel_cache.h"
#include "weir/compute/target.h"
#include "weir/core/memory_budget.h"

namespace weir::cli {
namespace {
struct Targets {};

void run(const Targets&, Terminal& terminal) {
  TextTable table({"target", "device", "memory", "float64", "driver", "usable"});
  for (const auto& target : compute::list_targets()) {
    table.row({target.name, target.device,
               target.memory_bytes > 0 ? bytes_text(target.memory_bytes) : "",
               target.device.empty() ? "" : (target.fp64 ? "yes" : "no"), target.driver,
               target.usable() ? "yes" : "no: " + target.why_not});
  }
  terminal.print(table.text());
  terminal.print(
      fmt::format("compiled kernels: {}\n", compute::KernelCache::of_user().description()));
}
}  // namespace

const Command& targets_command() {
  static const auto kCommand = make_command<Targets>({
      .name = "targets",
      .summary = "Show the devices found, and why others were not.",
      .schema = op::Schema<Targets>{},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
