#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/pipeline/spec/spec.h"

namespace weir::cli {
namespace {
struct SchemaArguments {};

void run(const SchemaArguments&, Terminal& terminal) {
  terminal.line(to_json(pipeline::spec_schema(catalog::operators()), 2));
}
}  // namespace

const Command& schema_command() {
  static const auto kCommand = make_command<SchemaArguments>({
      .name = "schema",
      .group = Group::pipelines,
      .summary = "Print the JSON Schema of a spec, for editors that check as you type.",
      .schema = op::Schema<SchemaArguments>{},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
