#include <fmt/format.h>

#include <filesystem>

#include "weir/core/text.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/spec/document_internal.h"

namespace weir::pipeline {
namespace {
void resolve_path(Value& value, const std::filesystem::path& base) {
  if (value.is_string() && !value.as_string().empty()) {
    value = resolved_path(value.as_string(), base).string();
  } else if (value.is_array()) {
    for (Value& item : value.as_array()) {
      resolve_path(item, base);
    }
  }
}

/// The object in a file. What is no ordinary file is not opened: a pipe would be waited for.
Value document_in(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    throw Error(ErrorCode::not_found, fmt::format("{}: no such file", path.string()));
  }
  if (!std::filesystem::is_regular_file(path, failure)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{}: is no ordinary file", path.string()));
  }
  const std::string text = read_text_file(path.string(), kLongestDocument);
  Value document =
      in_context(path.string(), [&] { return parse_language(text, language_of(path, text)); });
  if (!document.is_object()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{}: expected an object, found {}",
                                                     path.string(), document.type_name()));
  }
  return document;
}

void resolve_field(Node& node, const op::FieldInfo& field, const std::filesystem::path& base) {
  std::vector<std::string> names = field.aliases;
  names.push_back(field.name);
  for (const auto& name : names) {
    Value* value = node.params.find(name);
    if (value == nullptr) {
      continue;
    }
    if (value->is_string() && value->as_string().find('\0') != std::string::npos) {
      throw Error(ErrorCode::invalid_spec, "holds a zero character");
    }
    resolve_path(*value, base);
    if (field.holds == op::Holds::document && value->is_string() && !value->as_string().empty()) {
      *value = document_in(value->as_string());
    }
  }
}
}  // namespace

void resolve_files(Spec& spec, const op::OperatorList& operators, std::vector<Problem>& problems) {
  for (auto& node : spec.nodes) {
    const op::Operator* found = operators.find(node.op);
    if (found == nullptr) {
      continue;
    }
    for (const auto& field : found->fields()) {
      if (field.holds == op::Holds::value) {
        continue;
      }
      try {
        resolve_field(node, field, spec.base);
      } catch (const Error& error) {
        problems.push_back({label(node), field.name, error.text(), error.code()});
      }
    }
  }
}

}  // namespace weir::pipeline
