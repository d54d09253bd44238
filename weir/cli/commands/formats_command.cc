#include <fmt/format.h>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/text_table.h"

namespace weir::cli {
namespace {
struct Formats {
  bool json = false;
};

/// "read and written", "-".
std::string ability(bool read, bool written) {
  return read ? (written ? "read and written" : "read") : (written ? "written" : "-");
}

/// As tables, or with the recording that they belong to.
bool writes_events(const formats::Format& format) {
  return format.create_events != nullptr || format.holds_annotations;
}

Value to_value(const formats::Format& format) {
  Value extensions = Value::array();
  for (const auto extension : format.extensions) {
    extensions.push_back(extension);
  }
  Value object = Value::object();
  object.set("name", format.name);
  object.set("summary", format.summary);
  object.set("extensions", std::move(extensions));
  object.set("reads_recordings", format.open != nullptr);
  object.set("writes_recordings", format.create != nullptr);
  object.set("reads_events", format.open_events != nullptr);
  object.set("writes_events", writes_events(format));
  object.set("reads_tables", format.open_table != nullptr);
  return object;
}

void run(const Formats& arguments, Terminal& terminal) {
  Value list = Value::array();
  TextTable table({"format", "extensions", "recordings", "events", "tables", "what"});
  for (const auto* format : catalog::formats().all()) {
    list.push_back(to_value(*format));
    table.row({std::string(format->name), fmt::format("{}", fmt::join(format->extensions, " ")),
               ability(format->open != nullptr, format->create != nullptr),
               ability(format->open_events != nullptr, writes_events(*format)),
               ability(format->open_table != nullptr, false), std::string(format->summary)});
  }
  terminal.print(arguments.json ? to_json(list, 2) + '\n' : table.text());
}
}  // namespace

const Command& formats_command() {
  static const auto kCommand = make_command<Formats>({
      .name = "formats",
      .summary = "List the file formats that can be read and written.",
      .schema = op::Schema<Formats>{op::field("json", &Formats::json, {.doc = "Print JSON."})},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
