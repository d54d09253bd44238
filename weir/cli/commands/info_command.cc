#include <optional>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/event_copy.h"
#include "weir/cli/event_summary.h"
#include "weir/cli/recording_summary.h"
#include "weir/cli/settings.h"
#include "weir/cli/table_summary.h"
#include "weir/core/error.h"
#include "weir/formats/probe_file.h"

namespace weir::cli {
namespace {
struct Info {
  std::string file;
  std::string stream;
  std::string format;
  std::string probe;
  std::vector<std::string> raw;
  bool channels = false;
  bool json = false;
};

void warn(const std::vector<std::string>& warnings, Terminal& terminal) {
  for (const auto& warning : warnings) {
    terminal.warn(warning);
  }
}

/// A table, which is no recording.
std::string name_line(const Info& arguments, const OpenedPath& opened) {
  const auto& format =
      opened.events.empty() ? opened.tables.front().format : opened.events.front().format;
  return format + ": " + arguments.file + '\n';
}

/// What the recording holds, with the places that a probe file gives its channels.
std::optional<RecordingInfo> described(const Info& arguments, const OpenedPath& opened) {
  if (!opened.recording) {
    return std::nullopt;
  }
  RecordingInfo info = opened.recording->info();
  if (!arguments.probe.empty()) {
    const auto contacts = formats::read_probe_file(arguments.probe);
    in_context(arguments.file, [&] { formats::attach_probe(contacts, info.channels); });
  }
  return info;
}

void run(const Info& arguments, Terminal& terminal) {
  const auto opened = open_path(
      catalog::formats(), arguments.file,
      {.stream = arguments.stream, .raw = settings("--raw", arguments.raw)}, arguments.format);
  const auto info = described(arguments, opened);
  if (arguments.json) {
    Value object = info ? summary_json(*info) : Value::object();
    object.set("events", events_json(opened.events));
    if (!opened.tables.empty()) {
      object.set("tables", tables_json(opened.tables));
    }
    terminal.line(to_json(object, 2));
    return;
  }
  terminal.print(info ? summary_text(*info, {.every_channel = arguments.channels})
                      : name_line(arguments, opened));
  terminal.print(event_lines(opened.events));
  terminal.print(table_lines(opened.tables));
  if (info) {
    warn(info->warnings, terminal);
  }
  if (!opened.events_failure.empty()) {
    terminal.warn("its events cannot be read: " + opened.events_failure);
  }
  for (const auto& events : opened.events) {
    warn(events.warnings, terminal);
  }
}
}  // namespace

const Command& info_command() {
  static const auto kCommand = make_command<Info>({
      .name = "info",
      .group = Group::recordings,
      .summary =
          "Show what a recording or a table holds: rate, channels, units, duration; columns, rows.",
      .schema =
          op::Schema<Info>{
              op::field(
                  "file", &Info::file,
                  {.required = true, .doc = "A recording or a table; its format is detected."}),
              op::field("stream", &Info::stream,
                        {.doc = "A source inside the file; the largest electrical one if not "
                                "given."}),
              op::field("format", &Info::format,
                        {.doc = "Open as this format instead of detecting it."}),
              op::field("probe", &Info::probe,
                        {.doc = "A probeinterface JSON or a .prb: where the contacts lie."}),
              op::field("raw", &Info::raw, {.doc = kRawDoc}),
              op::field("channels", &Info::channels,
                        {.doc = "List every channel, however many there are."}),
              op::field("json", &Info::json, {.doc = "Print one JSON object."})},
      .positional = {"file"},
      .examples = {"session.bin", "ecg/100.hea --json", "zmumu.root",
                   "probe.dat --raw channels=64 --raw rate_hz=25000 --raw dtype=int16"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
