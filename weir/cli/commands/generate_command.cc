#include <fmt/format.h>

#include "weir/cli/command.h"
#include "weir/cli/command_help.h"
#include "weir/cli/settings.h"
#include "weir/cli/synthetic_output.h"
#include "weir/cli/text_table.h"
#include "weir/cli/watch.h"
#include "weir/core/text.h"
#include "weir/core/version.h"
#include "weir/signal/generate/generate.h"

namespace weir::cli {
namespace {
struct Generate {
  std::string name;
  std::string out;
  std::vector<std::string> set;
  std::string truth;
  bool overwrite = false;
};

void list_all(Terminal& terminal) {
  TextTable table;
  for (const auto& generator : signal::generators()) {
    table.row({generator.name, generator.summary});
  }
  terminal.print(table.text());
}

std::string provenance(const Generate& arguments, const Value& params) {
  Value object = Value::object();
  object.set("generated_by", fmt::format("weir {}", version()));
  object.set("generator", arguments.name);
  object.set("settings", params);
  return to_json(object, 2) + '\n';
}

void run(const Generate& arguments, Terminal& terminal) {
  if (arguments.name.empty()) {
    list_all(terminal);
    return;
  }
  const auto& generator = signal::generator(arguments.name);
  if (arguments.out.empty()) {
    terminal.print(fmt::format("{}: {}\n\n{}", generator.name, generator.summary,
                               field_lines(generator.fields)));
    return;
  }
  const Value given = settings("--set", arguments.set);
  const Value params = given.is_null() ? Value::object() : given;
  const auto recording = generator.make(params);
  const SyntheticOutput output{.data = arguments.out,
                               .truth = arguments.truth,
                               .overwrite = arguments.overwrite,
                               .provenance = provenance(arguments, params)};
  const auto events = [&] {
    Watch watch(terminal);
    return write_synthetic(*recording, output,
                           [&](const Progress& progress) { return watch.goes_on(progress); });
  }();
  const StreamInfo& stream = recording->stream();
  terminal.line(fmt::format("{}: {} channels at {}, {}", arguments.out,
                            grouped(stream.channel_count()), stream.rate.text(),
                            duration_text(stream.rate.seconds(stream.total_frames()))));
  if (!events.empty()) {
    terminal.line(fmt::format("{}: {} events that truly happened", truth_path(output).string(),
                              grouped(static_cast<std::int64_t>(events.size()))));
  }
}
}  // namespace

const Command& generate_command() {
  static const auto kCommand = make_command<Generate>({
      .name = "generate",
      .group = Group::recordings,
      .summary = "Write a seeded synthetic recording and what truly happened in it.",
      .schema =
          op::Schema<Generate>{
              op::field("name", &Generate::name,
                        {.doc = "The kind of recording; leave it out for the list."}),
              op::field("out", &Generate::out,
                        {.doc = "The output; leave it out for the settings of this kind."}),
              op::field("set", &Generate::set,
                        {.doc = "A setting of this kind: duration_s=20, seed=7. May be given "
                                "often."}),
              op::field("truth", &Generate::truth,
                        {.doc = "Where the true events go, as CSV; OUT.truth.csv if not given."}),
              op::field("overwrite", &Generate::overwrite,
                        {.doc = "Replace an output that exists."})},
      .positional = {"name", "out"},
      .examples = {"", "neuropixels", "neuropixels session.bin --set duration_s=20 --set seed=7"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
