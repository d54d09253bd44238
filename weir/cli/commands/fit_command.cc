#include <fmt/format.h>

#include <filesystem>

#include "weir/analysis/analysis_report.h"
#include "weir/analysis/fit_plot.h"
#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {

/// What the program exits with when the fit did not converge. The result is written all the same.
constexpr int kNotConverged = 9;

struct Fit {
  std::string analysis;
  std::string output_dir;
  bool overwrite = false;
  bool json = false;
  bool schema = false;
};

/// The output in another folder, under its own name.
std::string moved(const std::string& path, const std::string& folder) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  return path.empty() || folder.empty() ? path : (folder / name).string();
}

void check_output(const std::string& path, bool overwrite) {
  if (path.empty()) {
    return;
  }
  if (std::filesystem::is_directory(path)) {
    throw Error(ErrorCode::output_exists, fmt::format("{}: there is a folder of that name", path));
  }
  if (!overwrite && std::filesystem::exists(path)) {
    throw Error(ErrorCode::output_exists, fmt::format("{} exists; --overwrite replaces it", path));
  }
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(ErrorCode::not_found,
                fmt::format("{}: there is no folder {}", path, folder.string()));
  }
}

void run(const Fit& arguments, Terminal& terminal) {
  if (arguments.schema) {
    terminal.line(to_json(analysis::analysis_schema(), 2));
    return;
  }
  if (arguments.analysis.empty()) {
    throw Error(ErrorCode::invalid_spec, "fit: needs an analysis, or --schema");
  }
  const analysis::Analysis read = analysis::load_analysis(arguments.analysis);
  analysis::OutputSection outputs = read.outputs;
  outputs.result = moved(outputs.result, arguments.output_dir);
  outputs.plot = moved(outputs.plot, arguments.output_dir);
  if (!arguments.output_dir.empty()) {
    std::filesystem::create_directories(arguments.output_dir);
  }
  check_output(outputs.result, arguments.overwrite);
  check_output(outputs.plot, arguments.overwrite);
  analysis::PreparedFit fit = analysis::prepare_fit(read, catalog::formats());
  const analysis::Outcome outcome = analysis::run_fit(fit);
  const Value document = analysis::analysis_document(fit, outcome);
  terminal.print(arguments.json ? to_json(document, 2) + '\n'
                                : analysis::analysis_report(fit, outcome));
  for (const std::string& warning : outcome.result.warnings) {
    terminal.warn(warning);
  }
  if (!outputs.plot.empty()) {
    write_text_file(outputs.plot, analysis::fit_plot(fit, outcome));
  }
  if (!outputs.result.empty()) {
    write_text_file(outputs.result, to_json(document, 2) + '\n');
  }
  if (!outcome.result.valid) {
    terminal.set_exit_status(kNotConverged);
  }
}

}  // namespace

const Command& fit_command() {
  static const auto kCommand = make_command<Fit>({
      .name = "fit",
      .group = Group::pipelines,
      .summary = "Fit a density to a table of events, as an analysis describes it.",
      .schema =
          op::Schema<Fit>{
              op::field("analysis", &Fit::analysis,
                        {.doc = "An analysis in TOML or JSON: data, parameters, model, likelihood, "
                                "minimiser, outputs."}),
              op::field(
                  "output_dir", &Fit::output_dir,
                  {.doc =
                       "Write outputs into this folder, made if need be, under their own names."}),
              op::field("overwrite", &Fit::overwrite, {.doc = "Replace outputs that exist."}),
              op::field("json", &Fit::json, {.doc = "Print the result as JSON."}),
              op::field("schema", &Fit::schema,
                        {.doc = "Print the JSON Schema of an analysis instead."})},
      .positional = {"analysis"},
      .examples = {"zmumu_fit.toml", "zmumu_fit.toml --output-dir out --overwrite", "--schema"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
