#include "weir/op/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weir::op {
namespace {
void check_number(const FieldInfo& info, double number) {
  const std::string unit = info.unit.empty() ? "" : " " + info.unit;
  if (std::isnan(number)) {
    throw Error(ErrorCode::invalid_spec, "nan is not a value");
  }
  if (info.min && (number < *info.min || (info.above_min && number == *info.min))) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{} is too small; it must be {} {}{}", number,
                            info.above_min ? "above" : "at least", *info.min, unit));
  }
  if (info.max && number > *info.max) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{} is too large; it must be at most {}{}", number, *info.max, unit));
  }
}

Value json_type(const FieldInfo& info) {
  constexpr std::string_view kList = "list of ";
  if (info.type.starts_with(kList)) {
    FieldInfo element = info;
    element.type = info.type.substr(kList.size());
    Value list = Value::object();
    list.set("type", "array");
    list.set("items", json_type(element));
    Value either = Value::object();
    either.set("anyOf", Value::Array{json_type(element), list});
    return either;
  }
  Value type = Value::object();
  if (!info.choices.empty()) {
    Value names = Value::array();
    for (const auto& choice : info.choices) {
      names.push_back(choice);
    }
    for (const auto& other : info.other_choices) {
      names.push_back(other.spelling);
    }
    type.set("enum", names);
    return type;
  }
  if (info.type != "any") {
    type.set("type", info.type == "bool" ? "boolean" : info.type);
  }
  if (info.min) {
    type.set(info.above_min ? "exclusiveMinimum" : "minimum", *info.min);
  }
  if (info.max) {
    type.set("maximum", *info.max);
  }
  return type;
}
}  // namespace

void check_limits(const FieldInfo& info, const Value& value) {
  if (value.is_number()) {
    check_number(info, value.as_number());
  } else if (value.is_array()) {
    for (const auto& item : value.as_array()) {
      if (item.is_number()) {
        check_number(info, item.as_number());
      }
    }
  }
}

void check_keys(const Value& object, const std::vector<FieldInfo>& fields, const std::string& node,
                std::span<const std::string_view> reserved, std::vector<Problem>& problems) {
  if (!object.is_object()) {
    problems.push_back({node, "", fmt::format("expected an object, found {}", object.type_name())});
    return;
  }
  std::vector<std::string> known;
  for (const auto& info : fields) {
    known.push_back(info.name);
    known.insert(known.end(), info.aliases.begin(), info.aliases.end());
  }
  for (const auto& [key, value] : object.as_object()) {
    if (std::find(reserved.begin(), reserved.end(), key) != reserved.end() ||
        std::find(known.begin(), known.end(), key) != known.end()) {
      continue;
    }
    const auto nearest = nearest_word(key, known);
    problems.push_back({node, key,
                        nearest ? fmt::format("unknown key; did you mean \"{}\"?", *nearest)
                        : known.empty()
                            ? std::string("unknown key; there are none here")
                            : fmt::format("unknown key; known: {}", fmt::join(known, ", "))});
  }
}

const Value* find_field(const Value& object, const FieldInfo& info, const std::string& node,
                        std::vector<Problem>& problems) {
  const Value* found = object.find(info.name);
  for (const auto& alias : info.aliases) {
    const Value* other = object.find(alias);
    if (other != nullptr && found != nullptr) {
      problems.push_back(
          {node, alias, fmt::format("\"{}\" is the same field and is given too", info.name)});
    }
    found = found != nullptr ? found : other;
  }
  return found;
}

Value json_schema(const std::vector<FieldInfo>& fields) {
  Value properties = Value::object();
  Value required = Value::array();
  for (const auto& info : fields) {
    Value property = json_type(info);
    property.set("description",
                 info.unit.empty() ? info.doc : fmt::format("{} Unit: {}.", info.doc, info.unit));
    if (!info.fallback.is_null() && !info.required) {
      property.set("default", info.fallback);
    }
    properties.set(info.name, property);
    for (const auto& alias : info.aliases) {
      properties.set(alias, property);
    }
    if (info.required) {
      required.push_back(info.name);
    }
  }
  Value schema = Value::object();
  schema.set("type", "object");
  schema.set("properties", properties);
  if (!required.as_array().empty()) {
    schema.set("required", required);
  }
  schema.set("additionalProperties", false);
  return schema;
}

}  // namespace weir::op
