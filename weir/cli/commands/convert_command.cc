#include <fmt/format.h>

#include <filesystem>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/event_copy.h"
#include "weir/cli/run_plan.h"
#include "weir/cli/settings.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
struct Convert {
  std::string file;
  std::string out;
  std::string dtype;
  std::string stream;
  std::vector<std::string> raw;
  bool overwrite = false;
  bool json = false;
};

/// The spec of two nodes that a conversion is.
std::string spec_text(const Convert& arguments) {
  Value read = Value::object();
  read.set("op", "read");
  read.set("path", arguments.file);
  read.set("gaps", "split");
  if (!arguments.stream.empty()) {
    read.set("stream", arguments.stream);
  }
  if (!arguments.raw.empty()) {
    read.set("raw", settings("--raw", arguments.raw));
  }
  Value write = Value::object();
  write.set("op", "write");
  write.set("path", arguments.out);
  if (!arguments.dtype.empty()) {
    write.set("dtype", arguments.dtype);
  }
  Value nodes = Value::object();
  nodes.set("file", std::move(read));
  nodes.set("out", std::move(write));
  Value spec = Value::object();
  spec.set("weir_pipeline", 1);
  spec.set("nodes", std::move(nodes));
  spec.set("edges", Value::Array{Value::Array{"file", "out"}});
  return to_json(spec, 2);
}

formats::OpenOptions open_options(const Convert& arguments) {
  return {.stream = "", .raw = settings("--raw", arguments.raw)};
}

std::string event_line(const EventCopy& copy) {
  return fmt::format("{}: {} events in {}", copy.stream, grouped(copy.rows), copy.path.string());
}

/// A table of events, which is no recording, in another format.
void convert_table(const Convert& arguments, Terminal& terminal) {
  EventCopy copy{.stream = arguments.stream, .path = arguments.out};
  copy_events(catalog::formats(), arguments.file, open_options(arguments), arguments.overwrite,
              copy);
  if (arguments.json) {
    Value object = Value::object();
    object.set("path", copy.path.string());
    object.set("rows", copy.rows);
    terminal.line(to_json(object, 2));
    return;
  }
  terminal.line(event_line(copy));
}

void convert_recording(const Convert& arguments, const OpenedPath& opened, Terminal& terminal) {
  auto copies = plan_event_copies(opened.events, arguments.out);
  for (const auto& copy : copies) {
    formats::check_output(copy.path, arguments.overwrite);
  }
  const auto spec = pipeline::parse_spec(spec_text(arguments), pipeline::SpecLanguage::json,
                                         std::filesystem::current_path(), {}, catalog::operators());
  const auto plan =
      pipeline::make_plan(spec, full_catalog(), plan_options(arguments.overwrite, {}));
  const auto report = run_plan(plan, terminal);
  for (auto& copy : copies) {
    copy_events(catalog::formats(), arguments.file, open_options(arguments), arguments.overwrite,
                copy);
    terminal.note(event_line(copy) + '\n');
  }
  for (const auto& info : opened.events) {
    if (are_lines_of_channels(info)) {
      terminal.note(info.name + ": its lines stay channels of words; no table of edges is made\n");
    }
  }
  if (!opened.events_failure.empty()) {
    terminal.warn("its events are not kept: " + opened.events_failure);
  }
  print_report(report, arguments.json ? ReportStyle::json : ReportStyle::text, terminal);
}

void run(const Convert& arguments, Terminal& terminal) {
  if (!std::filesystem::exists(arguments.file)) {  // A pattern for several, or a mistake.
    convert_recording(arguments, {}, terminal);
    return;
  }
  auto options = open_options(arguments);
  options.stream = arguments.stream;
  const auto opened = open_path(catalog::formats(), arguments.file, options, "");
  if (opened.recording) {
    convert_recording(arguments, opened, terminal);
  } else {
    convert_table(arguments, terminal);
  }
}
}  // namespace

const Command& convert_command() {
  static const auto kCommand = make_command<Convert>({
      .name = "convert",
      .group = Group::recordings,
      .summary = "Write a recording in another format.",
      .schema =
          op::Schema<Convert>{
              op::field("file", &Convert::file, {.required = true, .doc = "The recording."}),
              op::field("out", &Convert::out,
                        {.required = true, .doc = "The output; its extension picks the format."}),
              op::field("dtype", &Convert::dtype,
                        {.doc = "float32 for physical values (if not given), int16 for stored "
                                "counts."}),
              op::field("stream", &Convert::stream, {.doc = "A source inside the file."}),
              op::field("raw", &Convert::raw, {.doc = kRawDoc}),
              op::field("overwrite", &Convert::overwrite,
                        {.doc = "Replace an output that exists."}),
              op::field("json", &Convert::json, {.doc = "Print the report as JSON."})},
      .positional = {"file", "out"},
      .examples = {"ecg/100.hea 100.zarr --dtype int16"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
