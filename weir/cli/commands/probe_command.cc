#include <fmt/format.h>

#include <filesystem>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/settings.h"
#include "weir/core/error.h"
#include "weir/core/probe_document.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/probe_file.h"

namespace weir::cli {
namespace {
struct Probe {
  std::string file;
  std::string out;
  std::string stream;
  std::vector<std::string> raw;
  bool overwrite = false;
};

void run(const Probe& arguments, Terminal& terminal) {
  const auto source = catalog::formats().open(
      arguments.file, {.stream = arguments.stream, .raw = settings("--raw", arguments.raw)});
  const auto& channels = source->info().channels;
  const Value document = to_probe_document(channels);
  if (document.at("probes").as_array()[0].at("contact_positions").as_array().empty()) {
    throw Error(ErrorCode::not_found, fmt::format("{}: no channel has a position", arguments.file));
  }
  formats::check_output(arguments.out, arguments.overwrite);
  write_text_file(arguments.out, to_json(document, 1) + "\n");
  const auto contacts = formats::read_probe_file(arguments.out).size();
  terminal.line(fmt::format("{}: {} contacts of {} channels", printable(arguments.out), contacts,
                            channels.size()));
}
}  // namespace

const Command& probe_command() {
  static const auto kCommand = make_command<Probe>({
      .name = "probe",
      .group = Group::recordings,
      .summary = "Write where a recording's contacts lie as probeinterface JSON.",
      .schema =
          op::Schema<Probe>{
              op::field("file", &Probe::file, {.required = true, .doc = "The recording."}),
              op::field("out", &Probe::out, {.required = true, .doc = "The probe, .json."}),
              op::field("stream", &Probe::stream, {.doc = "A source inside the file."}),
              op::field("raw", &Probe::raw, {.doc = kRawDoc}),
              op::field("overwrite", &Probe::overwrite, {.doc = "Replace an output that exists."})},
      .positional = {"file", "out"},
      .examples = {"run_g0_t0.imec0.ap.bin probe.json"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
