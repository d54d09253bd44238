#include <fmt/format.h>

#include <algorithm>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/command_help.h"
#include "weir/cli/settings.h"
#include "weir/cli/text_table.h"
#include "weir/core/buffer.h"
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

void write(const signal::SyntheticRecording& recording, const Generate& arguments,
           const Value& params) {
  const StreamInfo& stream = recording.stream();
  const auto& format = catalog::formats().for_recording(arguments.out);
  formats::check_output(arguments.out, arguments.overwrite);
  formats::RecordingOutput output;
  output.path = arguments.out;
  output.stream = stream;
  output.overwrite = arguments.overwrite;
  const auto writer = format.create(output);
  const std::int64_t frames = stream.total_frames();
  const std::int64_t block = std::clamp<std::int64_t>(
      (std::int64_t{4} << 20) / std::max<std::int64_t>(stream.channel_count(), 1), 1, 65536);
  const Buffer buffer(SampleType::int16, block, stream.channel_count());
  for (std::int64_t at = 0; at < frames; at += block) {
    const auto rows = buffer.first(std::min(block, frames - at));
    recording.fill(at, rows.as<std::int16_t>());
    writer->append(rows);
  }
  writer->end_segment();
  writer->commit(provenance(arguments, params));
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
  write(*recording, arguments, params);
  const StreamInfo& stream = recording->stream();
  terminal.line(fmt::format("{}: {} channels at {}, {}", arguments.out,
                            grouped(stream.channel_count()), stream.rate.text(),
                            duration_text(stream.rate.seconds(stream.total_frames()))));
  const auto events = recording->truth();
  if (!events.empty()) {
    const std::string path =
        arguments.truth.empty() ? arguments.out + ".truth.csv" : arguments.truth;
    signal::write_truth(path, events);
    terminal.line(fmt::format("{}: {} events that truly happened", path,
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
