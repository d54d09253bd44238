#include <fmt/format.h>

#include <array>
#include <span>

#include "weir/analysis/analysis.h"
#include "weir/analysis/section_schemas_internal.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/toml.h"

namespace weir::analysis {
namespace {

using Problems = std::vector<Problem>;

Value document_of(std::string_view text) {
  const std::string_view bare = trimmed(text);
  if (!bare.starts_with('{')) {
    return formats::parse_toml(text);
  }
  try {
    return formats::parse_json(text);
  } catch (const Error& error) {
    throw Error(ErrorCode::invalid_spec, error.text());
  }
}

void check_version(const Value& document) {
  const Value* version = document.find("weir_analysis");
  if (version == nullptr) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("weir_analysis: is required; an analysis starts with weir_analysis = {}",
                    kAnalysisVersion));
  }
  if (!version->is_integer() || version->as_integer() < 1) {
    throw Error(ErrorCode::invalid_spec, fmt::format("weir_analysis: expected {}, found {}",
                                                     kAnalysisVersion, to_json(*version)));
  }
  if (version->as_integer() > kAnalysisVersion) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("weir_analysis: version {} needs a newer weir, this one reads {}",
                            version->as_integer(), kAnalysisVersion));
  }
}

void check_sections(const Value& document, Problems& problems) {
  static const std::vector<std::string> kSections = {
      "weir_analysis", "data", "parameters", "model", "likelihood", "minimiser", "outputs"};
  for (const auto& [key, value] : document.as_object()) {
    if (std::find(kSections.begin(), kSections.end(), key) == kSections.end()) {
      const auto near = nearest_word(key, kSections);
      problems.push_back(
          {.node = {},
           .field = key,
           .text = near ? fmt::format("there is no such section; did you mean {}?", *near)
                        : "there is no such section"});
    }
  }
}

/// A section's object; an empty one where the document leaves it out.
Value section_of(const Value& document, std::string_view name, Problems& problems) {
  const Value* section = document.find(name);
  if (section != nullptr && !section->is_object()) {
    problems.push_back({.node = std::string(name),
                        .field = {},
                        .text = fmt::format("must be a table, not {}", section->type_name())});
    return Value::object();
  }
  return section == nullptr ? Value::object() : *section;
}

model::Parameter parameter_of(const std::string& name, const Value& value, Problems& problems) {
  const std::string place = "parameters." + name;
  ParameterEntry entry;
  if (value.is_number()) {
    entry.value = value.as_number();
  } else if (value.is_object()) {
    entry = parameter_schema().read(value, place, {}, problems);
  } else {
    problems.push_back(
        {.node = place,
         .field = {},
         .text = fmt::format("must be a number or a table, not {}", value.type_name())});
  }
  if (!entry.range.empty() && (entry.range.size() != 2 || entry.lower || entry.upper)) {
    problems.push_back({.node = place,
                        .field = "range",
                        .text = "must be [lower, upper], and no lower or upper beside it"});
  } else if (!entry.range.empty()) {
    entry.lower = entry.range[0];
    entry.upper = entry.range[1];
  }
  model::Parameter parameter{.name = name,
                             .initial = entry.value,
                             .lower = entry.lower,
                             .upper = entry.upper,
                             .periodic = entry.periodic,
                             .fixed = entry.fixed,
                             .scale = entry.step,
                             .unit = entry.unit,
                             .latex = entry.latex,
                             .description = entry.description};
  if (!parameter.initial && parameter.lower && parameter.upper) {
    parameter.initial = *parameter.lower + (*parameter.upper - *parameter.lower) / 2;
  }
  try {
    model::check(parameter);
  } catch (const Error& error) {
    problems.push_back({.node = place, .field = {}, .text = error.text()});
  }
  return parameter;
}

std::vector<std::vector<double>> ranges_of(const Value& model, Problems& problems) {
  std::vector<std::vector<double>> ranges;
  const Value* field = model.find("range");
  const auto refuse = [&](const std::string& text) {
    problems.push_back({.node = "model", .field = "range", .text = text});
  };
  if (field == nullptr || !field->is_array() || field->as_array().empty()) {
    refuse("is required: [lower, upper], or a list of such pairs");
    return ranges;
  }
  Value::Array pairs = field->as_array();
  if (pairs.front().is_number()) {
    pairs = {*field};
  }
  for (const Value& pair : pairs) {
    const bool right = pair.is_array() && pair.as_array().size() == 2 &&
                       pair.as_array()[0].is_number() && pair.as_array()[1].is_number();
    if (!right) {
      refuse(fmt::format("{} is no pair [lower, upper]", to_json(pair)));
      continue;
    }
    const double lower = pair.as_array()[0].as_number();
    const double upper = pair.as_array()[1].as_number();
    if (!(lower < upper) || (!ranges.empty() && lower < ranges.back()[1])) {
      refuse(fmt::format("[{}, {}]: ranges must rise and not overlap", lower, upper));
    }
    ranges.push_back({lower, upper});
  }
  return ranges;
}

void check_table_of_texts(const Value& value, const std::string& node, const std::string& field,
                          Problems& problems) {
  if (value.is_null()) {
    return;
  }
  if (!value.is_object()) {
    problems.push_back({.node = node,
                        .field = field,
                        .text = fmt::format("must be a table of names and expressions, not {}",
                                            value.type_name())});
    return;
  }
  for (const auto& [name, text] : value.as_object()) {
    if (!text.is_string() || !model::is_identifier(name)) {
      problems.push_back({.node = node,
                          .field = fmt::format("{}.{}", field, name),
                          .text = "must be an identifier with an expression in quotes"});
    }
  }
}

std::string from_folder(const std::string& path, const std::filesystem::path& folder) {
  return path.empty() ? path : (folder / path).lexically_normal().string();
}

}  // namespace

Analysis read_analysis(std::string_view text, const std::filesystem::path& folder) {
  const Value document = document_of(text);
  if (!document.is_object()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("expected an object with weir_analysis, data and model, found {}",
                            document.type_name()));
  }
  check_version(document);
  Problems problems;
  check_sections(document, problems);
  Analysis analysis;
  analysis.data = data_schema().read(section_of(document, "data", problems), "data", {}, problems);
  check_table_of_texts(analysis.data.columns, "data", "columns", problems);
  const Value parameters = section_of(document, "parameters", problems);
  for (const auto& [name, value] : parameters.as_object()) {
    analysis.parameters.push_back(parameter_of(name, value, problems));
  }
  Value model = section_of(document, "model", problems);
  const auto ranges = ranges_of(model, problems);
  model.set("range", Value::array());  // read above: a pair or a list of pairs
  analysis.model = model_schema().read(model, "model", {}, problems);
  analysis.model.range = ranges;
  check_table_of_texts(analysis.model.components, "model", "components", problems);
  analysis.likelihood = likelihood_schema().read(section_of(document, "likelihood", problems),
                                                 "likelihood", {}, problems);
  analysis.minimiser = minimiser_schema().read(section_of(document, "minimiser", problems),
                                               "minimiser", {}, problems);
  analysis.outputs =
      output_schema().read(section_of(document, "outputs", problems), "outputs", {}, problems);
  throw_if_any(problems);
  analysis.data.file = from_folder(analysis.data.file, folder);
  analysis.outputs.result = from_folder(analysis.outputs.result, folder);
  analysis.outputs.plot = from_folder(analysis.outputs.plot, folder);
  return analysis;
}

Analysis load_analysis(const std::filesystem::path& file) {
  const std::string text = read_text_file(file.string());
  return in_context(file.string(), [&] { return read_analysis(text, file.parent_path()); });
}

Value analysis_schema() {
  using Object = Value::Object;
  const auto table = [](Value properties) {
    return Object{{"type", "object"}, {"additionalProperties", std::move(properties)}};
  };
  const Value parameter =
      Object{{"oneOf", Value::Array{Object{{"type", "number"}},
                                    op::json_schema(parameter_schema().describe())}}};
  const Value number = Object{{"type", "number"}};
  const Value pair = Object{{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}};
  const Value texts = table(Object{{"type", "string"}});
  Value data = op::json_schema(data_schema().describe());
  data.find("properties")->set("columns", texts);
  Value model = op::json_schema(model_schema().describe());
  model.find("properties")->set("components", texts);
  model.find("properties")
      ->set("range",
            Object{
                {"oneOf",
                 Value::Array{pair, Object{{"type", "array"}, {"items", pair}, {"minItems", 1}}}}});
  Value likelihood = op::json_schema(likelihood_schema().describe());
  likelihood.find("properties")
      ->set("constraints",
            Object{{"type", "array"}, {"items", op::json_schema(constraint_schema().describe())}});
  const Value properties = Object{{"weir_analysis", Object{{"const", kAnalysisVersion}}},
                                  {"data", data},
                                  {"parameters", table(parameter)},
                                  {"model", model},
                                  {"likelihood", likelihood},
                                  {"minimiser", op::json_schema(minimiser_schema().describe())},
                                  {"outputs", op::json_schema(output_schema().describe())}};
  return Object{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "Weir analysis"},
                {"type", "object"},
                {"properties", properties},
                {"required", Value::Array{"weir_analysis", "data", "parameters", "model"}},
                {"additionalProperties", false}};
}

}  // namespace weir::analysis
