#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/event_copy.h"
#include "weir/cli/event_summary.h"
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

void warn(const std::vector<std::string>& warnings, Terminal& terminal) {
  for (const auto& warning : warnings) {
    terminal.warn(warning);
  }
}

/// A table of events, which is no recording.
std::string name_line(const Info& arguments, const OpenedPath& opened) {
  return opened.events.front().format + ": " + arguments.file + '\n';
}

void run(const Info& arguments, Terminal& terminal) {
  const auto opened = open_path(
      catalog::formats(), arguments.file,
      {.stream = arguments.stream, .raw = settings("--raw", arguments.raw)}, arguments.format);
  if (arguments.json) {
    Value object = opened.recording ? summary_json(opened.recording->info()) : Value::object();
    object.set("events", events_json(opened.events));
    terminal.line(to_json(object, 2));
    return;
  }
  terminal.print(opened.recording
                     ? summary_text(opened.recording->info(), {.every_channel = arguments.channels})
                     : name_line(arguments, opened));
  terminal.print(event_lines(opened.events));
  if (opened.recording) {
    warn(opened.recording->info().warnings, terminal);
  }
  if (!opened.events_failure.empty()) {
    terminal.warn("its events cannot be read: " + opened.events_failure);
  }
  for (const auto& info : opened.events) {
    warn(info.warnings, terminal);
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
