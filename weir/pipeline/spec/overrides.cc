#include <fmt/format.h>

#include <algorithm>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/spec/document_internal.h"

namespace weir::pipeline {
namespace {
Value value_of(std::string_view text) {
  try {
    return formats::parse_json(text);
  } catch (const Error&) {
    return text;
  }
}

/// The node called `id` in either form of `nodes`; null when there is none.
Value* find_node(Value& nodes, std::string_view id, std::vector<std::string>& ids) {
  if (nodes.is_object()) {
    for (auto& [key, fields] : nodes.as_object()) {
      ids.push_back(key);
    }
    return nodes.find(id);
  }
  if (nodes.is_array()) {
    for (auto& node : nodes.as_array()) {
      const Value* name = node.find("id");
      if (name != nullptr && name->is_string()) {
        ids.push_back(name->as_string());
        if (name->as_string() == id) {
          return &node;
        }
      }
    }
  }
  return nullptr;
}

/// Every spelling of a field.
std::vector<std::string> names_of(const op::FieldInfo& field) {
  std::vector<std::string> names = field.aliases;
  names.push_back(field.name);
  return names;
}

/// The field that `key` names, by any of its spellings; null when there is none.
const op::FieldInfo* field_called(std::string_view key, const std::vector<op::FieldInfo>& fields) {
  for (const auto& field : fields) {
    const auto names = names_of(field);
    if (std::find(names.begin(), names.end(), key) != names.end()) {
      return &field;
    }
  }
  return nullptr;
}

/// Removes every spelling of the field but `key`, so that the new value stands alone.
void drop_spellings(Value& node, std::string_view key, const op::FieldInfo& field) {
  const auto names = names_of(field);
  std::erase_if(node.as_object(), [&](const Value::Member& member) {
    return member.first != key &&
           std::find(names.begin(), names.end(), member.first) != names.end();
  });
}

using Resolve = std::string (*)(const std::string& text, const std::filesystem::path& base);

std::string resolve(const std::string& text, const std::filesystem::path& base) {
  return resolved_path(text, base).string();
}

/// What a person types is meant from where they are, not from the spec's folder.
Value from_here(const Value& value, const op::FieldInfo& field, Resolve resolved) {
  if (field.holds == op::Holds::value) {
    return value;
  }
  if (value.is_string() && !value.as_string().empty()) {
    return resolved(value.as_string(), std::filesystem::current_path());
  }
  Value list = value;
  if (list.is_array()) {
    for (Value& item : list.as_array()) {
      item = from_here(item, field, resolved);
    }
  }
  return list;
}

/// Sets `path` (field, then keys inside it) of an object. Errors: `invalid_spec`.
void set_inside(Value& object, const std::vector<std::string>& path, Value value) {
  Value* place = &object;
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    Value* inner = place->find(path[i]);
    place = inner != nullptr ? inner : &place->set(path[i], Value::object());
    if (!place->is_object()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("\"{}\" holds {}, not an object", path[i], place->type_name()));
    }
  }
  place->set(path.back(), std::move(value));
}

void apply(Value& document, const std::string& text, const op::OperatorList& operators) {
  const auto equals = text.find('=');
  const auto path = split(std::string_view(text).substr(0, equals), '.');
  const bool complete =
      std::none_of(path.begin(), path.end(), [](const std::string& part) { return part.empty(); });
  if (equals == std::string::npos || path.size() < 2 || !complete) {
    throw Error(ErrorCode::invalid_spec, "expected node.field=value");
  }
  Value value = value_of(std::string_view(text).substr(equals + 1));
  if (path[0] == "execution") {
    const auto fields = execution_fields();
    const auto* field = field_called(path[1], fields);
    if (field != nullptr && path.size() == 2) {
      value = from_here(value, *field, &resolve);
    }
    Value* section = document.find("execution");
    set_inside(section != nullptr ? *section : document.set("execution", Value::object()), path,
               std::move(value));
    return;
  }
  std::vector<std::string> ids{"execution"};
  Value* nodes = document.find("nodes");
  Value* node = nodes == nullptr ? nullptr : find_node(*nodes, path[0], ids);
  if (node == nullptr) {
    const auto nearest = nearest_word(path[0], ids);
    throw Error(ErrorCode::invalid_spec,
                fmt::format("no node is called \"{}\"{}", path[0],
                            nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
  }
  if (path[1] == "id") {
    throw Error(ErrorCode::invalid_spec, "a node's id cannot be changed here");
  }
  const Value* op = node->find("op");
  const auto* fields =
      op != nullptr && op->is_string() ? fields_of(op->as_string(), operators) : nullptr;
  if (const auto* field = fields != nullptr ? field_called(path[1], *fields) : nullptr) {
    drop_spellings(*node, path[1], *field);
    if (path.size() == 2) {
      value = from_here(value, *field, *op == Value("read") ? &absolute_pattern : &resolve);
    }
  }
  set_inside(*node, path, std::move(value));
}
}  // namespace

void apply_overrides(Value& document, const std::vector<std::string>& overrides,
                     const op::OperatorList& operators, std::vector<Problem>& problems) {
  for (const auto& text : overrides) {
    try {
      apply(document, text, operators);
    } catch (const Error& error) {
      problems.push_back({"", fmt::format("--set {}", text), error.text(), error.code()});
    }
  }
}

}  // namespace weir::pipeline
