#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/recording_summary.h"
#include "weir/cli/settings.h"

namespace weir::cli {
namespace {
struct Info {
  std::string file;
  std::string stream;
  std::string format;
  std::vector<std::string> raw;
  bool channels = false;
  bool json = false;
};

void run(const Info& arguments, Terminal& terminal) {
  const auto source = catalog::formats().open(
      arguments.file, {.stream = arguments.stream, .raw = settings("--raw", arguments.raw)},
      arguments.format);
  if (arguments.json) {
    terminal.line(to_json(summary_json(source->info()), 2));
    return;
  }
  terminal.print(summary_text(source->info(), {.every_channel = arguments.channels}));
  for (const auto& warning : source->info().warnings) {
    terminal.warn(warning);
  }
}
}  // namespace

const Command& info_command() {
  static const auto kCommand = make_command<Info>({
      .name = "info",
      .group = Group::recordings,
      .summary = "Show what a recording holds: rate, channels, units, duration, oddities.",
      .schema =
          op::Schema<Info>{
              op::field("file", &Info::file,
                        {.required = true, .doc = "A recording; its format is detected."}),
              op::field("stream", &Info::stream,
                        {.doc = "A source inside the file; the largest electrical one if not "
                                "given."}),
              op::field("format", &Info::format,
                        {.doc = "Open as this format instead of detecting it."}),
              op::field("raw", &Info::raw, {.doc = kRawDoc}),
              op::field("channels", &Info::channels,
                        {.doc = "List every channel, however many there are."}),
              op::field("json", &Info::json, {.doc = "Print one JSON object."})},
      .positional = {"file"},
      .examples = {"session.bin", "ecg/100.hea --json",
                   "probe.dat --raw channels=64 --raw rate_hz=25000 --raw dtype=int16"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
