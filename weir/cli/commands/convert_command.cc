#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/run_plan.h"
#include "weir/cli/settings.h"

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

void run(const Convert& arguments, Terminal& terminal) {
  const auto spec = pipeline::parse_spec(spec_text(arguments), pipeline::SpecLanguage::json,
                                         std::filesystem::current_path(), {}, catalog::operators());
  const auto plan =
      pipeline::make_plan(spec, full_catalog(), plan_options(arguments.overwrite, {}));
  print_report(run_plan(plan, terminal), arguments.json ? ReportStyle::json : ReportStyle::text,
               terminal);
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
