#include <fmt/format.h>

#include <algorithm>

#include "weir/core/text.h"
#include "weir/formats/json.h"
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

/// Removes every spelling of the field that `key` names, so that the new value stands alone.
void drop_spellings(Value& node, std::string_view key, const op::OperatorList& operators) {
  const Value* op = node.find("op");
  const auto* fields =
      op != nullptr && op->is_string() ? fields_of(op->as_string(), operators) : nullptr;
  if (fields == nullptr) {
    return;
  }
  for (const auto& field : *fields) {
    std::vector<std::string> names = field.aliases;
    names.push_back(field.name);
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      continue;
    }
    std::erase_if(node.as_object(), [&](const Value::Member& member) {
      return member.first != key &&
             std::find(names.begin(), names.end(), member.first) != names.end();
    });
  }
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
  const Value value = value_of(std::string_view(text).substr(equals + 1));
  if (path[0] == "execution") {
    Value* section = document.find("execution");
    set_inside(section != nullptr ? *section : document.set("execution", Value::object()), path,
               value);
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
  if (node->is_object()) {
    drop_spellings(*node, path[1], operators);
  }
  set_inside(*node, path, value);
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
