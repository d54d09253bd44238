#include "weir/cli/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "weir/catalog/catalog.h"
#include "weir/cli/watch.h"
#include "weir/core/error.h"
#include "weir/formats/json.h"

namespace weir::cli {
namespace {
/// The format of `file`, if it is a recording.
const formats::Format* recording_format(const std::string& file) {
  try {
    return file == "-" ? nullptr : &catalog::formats().detect(file);
  } catch (const Error&) {
    return nullptr;
  }
}
/// What a person types is meant from where they are, not from the spec's folder: relative paths of
/// "node.path=…" and the like become absolute.
std::string from_here(const std::string& text) {
  const auto equals = text.find('=');
  const std::string_view field = std::string_view(text).substr(0, equals);
  const bool is_path = field.ends_with(".path") || field.ends_with(".temporary_dir");
  if (equals == std::string::npos || !is_path || equals + 1 == text.size()) {
    return text;
  }
  const auto absolute = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  Value value = text.substr(equals + 1);
  try {
    value = formats::parse_json(value.as_string());
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): plain text.
  }
  if (value.is_string()) {
    value = absolute(value.as_string());
  } else if (value.is_array()) {
    for (auto& path : value.as_array()) {
      path = path.is_string() ? Value(absolute(path.as_string())) : path;
    }
  }
  return text.substr(0, equals + 1) + to_json(value);
}
}  // namespace

pipeline::Catalog full_catalog() {
  return {catalog::operators(), catalog::formats()};
}

pipeline::PlanOptions plan_options(bool overwrite, const std::string& output_dir) {
  pipeline::PlanOptions options;
  options.overwrite = overwrite;
  if (!output_dir.empty()) {
    options.output_dir = output_dir;
  }
  return options;
}

pipeline::Spec load_spec(const std::string& file, const std::vector<std::string>& overrides) {
  std::vector<std::string> meant;
  std::ranges::transform(overrides, std::back_inserter(meant), from_here);
  try {
    return pipeline::load_spec(file, meant, catalog::operators());
  } catch (const Error&) {
    if (const auto* format = recording_format(file)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: is a recording ({}), not a spec: weir info shows what it holds, "
                              "and a spec reads it by a node with op = \"read\"",
                              file, format->name));
    }
    throw;
  }
}

pipeline::Plan plan_spec(const std::string& file, const pipeline::Spec& spec,
                         const pipeline::PlanOptions& options) {
  try {
    return pipeline::make_plan(spec, full_catalog(), options);
  } catch (const Error& error) {
    pipeline::rethrow_naming(file == "-" ? "standard input" : file, error);
  }
}

pipeline::Report run_plan(const pipeline::Plan& plan, Terminal& terminal) {
  Watch watch(terminal);
  return pipeline::run(plan, [&](const Progress& progress) { return watch.goes_on(progress); });
}

void print_report(const pipeline::Report& report, ReportStyle style, Terminal& terminal) {
  terminal.print(style == ReportStyle::json ? to_json(report.json(), 2) + '\n' : report.text());
}

}  // namespace weir::cli
