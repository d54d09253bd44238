#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/conversion_losses.h"
#include "weir/cli/event_copy.h"
#include "weir/cli/run_plan.h"
#include "weir/cli/settings.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/plan_data.h"

namespace weir::cli {
namespace {
struct Convert {
  std::string file;
  std::string out;
  std::string format;
  std::string dtype;
  std::optional<double> gain;
  std::string stream;
  std::string probe;
  std::vector<std::string> raw;
  bool overwrite = false;
  bool json = false;
};

/// The spec of two nodes that a conversion is.
std::string spec_text(const Convert& arguments,
                      const std::vector<formats::EventStreamInfo>& annotations) {
  Value read = Value::object();
  read.set("op", "read");
  read.set("path", arguments.file);
  read.set("gaps", "split");
  if (!arguments.stream.empty()) {
    read.set("stream", arguments.stream);
  }
  if (!arguments.probe.empty()) {
    read.set("probe", arguments.probe);
  }
  if (!arguments.raw.empty()) {
    read.set("raw", settings("--raw", arguments.raw));
  }
  Value write = Value::object();
  write.set("op", "write");
  write.set("path", arguments.out);
  if (!arguments.format.empty()) {
    write.set("format", arguments.format);
  }
  // A gain is one of counts of 16 bits.
  const std::string otherwise = arguments.gain ? "int16" : "stored";
  write.set("dtype", arguments.dtype.empty() ? otherwise : arguments.dtype);
  if (arguments.gain) {
    write.set("gain", *arguments.gain);
  }
  if (!annotations.empty()) {
    Value names = Value::array();
    for (const auto& info : annotations) {
      names.push_back(info.name);
    }
    write.set("events", std::move(names));
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

/// What one input's events become: tables beside its output, or in it.
struct EventsOf {
  std::filesystem::path input;
  std::vector<EventCopy> copies;
  std::vector<std::string> lines;  ///< Streams that stay channels of words.
};

/// `streams`: of the only input; where a pattern names several, each is asked for its own.
std::vector<EventsOf> plan_events(const Convert& arguments, const pipeline::Plan& plan,
                                  const std::vector<formats::EventStreamInfo>* streams) {
  std::vector<EventsOf> all;
  for (const auto& input : plan.data().inputs) {
    const auto& path = input.input.paths.front();
    const auto& out = input.outputs.front().path;
    const auto found = streams != nullptr
                           ? *streams
                           : catalog::formats().list_events(path, open_options(arguments));
    EventsOf events{streams != nullptr ? std::filesystem::path(arguments.file) : path,
                    plan_event_copies(found, out),
                    {}};
    for (const auto& copy : events.copies) {
      formats::check_output(copy.path, arguments.overwrite);
    }
    for (const auto& info : found) {
      if (are_lines_of_channels(info)) {
        events.lines.push_back(info.name);
      }
    }
    all.push_back(std::move(events));
  }
  return all;
}

void write_events(const Convert& arguments, EventsOf& events, Terminal& terminal) {
  for (auto& copy : events.copies) {
    copy_events(catalog::formats(), events.input, open_options(arguments), arguments.overwrite,
                copy);
    terminal.note(event_line(copy) + '\n');
  }
  for (const auto& name : events.lines) {
    terminal.note(name + ": its lines stay channels of words; no table of edges is made\n");
  }
}

void tell_losses(const pipeline::Plan& plan, Terminal& terminal) {
  for (const auto& input : plan.data().inputs) {
    for (const auto& loss : conversion_losses(input)) {
      terminal.note(fmt::format("not kept of {}: {}\n", printable(input.input.name), loss));
    }
  }
}

/// `opened`: null for a pattern.
void convert_recording(const Convert& arguments, const OpenedPath* opened, Terminal& terminal) {
  const auto& format = catalog::formats().for_recording(arguments.out, arguments.format);
  std::vector<formats::EventStreamInfo> streams;
  std::vector<formats::EventStreamInfo> inside;
  if (opened != nullptr) {
    streams = opened->events;
    inside = take_annotations(catalog::formats(), arguments.file, open_options(arguments), format,
                              streams);
  }
  const auto spec = pipeline::parse_spec(spec_text(arguments, inside), pipeline::SpecLanguage::json,
                                         std::filesystem::current_path(), {}, catalog::operators());
  const auto plan =
      pipeline::make_plan(spec, full_catalog(), plan_options(arguments.overwrite, {}));
  auto events = plan_events(arguments, plan, opened != nullptr ? &streams : nullptr);
  const auto report = run_plan(plan, terminal);
  tell_losses(plan, terminal);
  for (const auto& info : inside) {
    terminal.note(fmt::format("{}: {} events in {}\n", printable(info.name),
                              grouped(info.count.value_or(0)), printable(arguments.out)));
  }
  for (auto& each : events) {
    write_events(arguments, each, terminal);
  }
  if (opened != nullptr && !opened->events_failure.empty()) {
    terminal.warn("its events are not kept: " + opened->events_failure);
  }
  print_report(report, arguments.json ? ReportStyle::json : ReportStyle::text, terminal);
}

void run(const Convert& arguments, Terminal& terminal) {
  if (!std::filesystem::exists(arguments.file)) {  // A pattern for several, or a mistake.
    convert_recording(arguments, nullptr, terminal);
    return;
  }
  auto options = open_options(arguments);
  options.stream = arguments.stream;
  const auto opened = open_path(catalog::formats(), arguments.file, options, "");
  if (opened.recording) {
    convert_recording(arguments, &opened, terminal);
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
      .schema = op::Schema<
          Convert>{op::field("file", &Convert::file, {.required = true, .doc = "The recording."}),
                   op::field(
                       "out", &Convert::out,
                       {.required = true, .doc = "The output; its extension picks the format."}),
                   op::field("format", &Convert::format,
                             {.doc = "The output's format, where its extension does not tell it: "
                                     "spikeinterface makes a folder."}),
                   op::field("dtype", &Convert::dtype,
                             {.doc = "stored for whole numbers as they are and floats as physical "
                                     "values (if not given), int16 for counts that are rounded and "
                                     "clipped, float32 for physical values."}),
                   op::field("gain", &Convert::gain,
                             {.min = 0,
                              .above_min = true,
                              .doc = "Physical units per count of int16 output, for floats."}),
                   op::field("stream", &Convert::stream, {.doc = "A source inside the file."}),
                   op::field("probe", &Convert::probe,
                             {.doc = "A probeinterface JSON or a .prb: where the contacts lie."}),
                   op::field("raw", &Convert::raw, {.doc = kRawDoc}),
                   op::field("overwrite", &Convert::overwrite,
                             {.doc = "Replace an output that exists."}),
                   op::field("json", &Convert::json, {.doc = "Print the report as JSON."})},
      .positional = {"file", "out"},
      .examples = {"ecg/100.hea 100.zarr", "eeg.npy eeg.edf --gain 0.1",
                   "run_g0 run_si --format spikeinterface"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
