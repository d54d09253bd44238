#include "weir/formats/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
[[noreturn]] void refuse(const toml::source_region& place, std::string_view what) {
  throw Error(ErrorCode::invalid_spec, fmt::format("not valid TOML at line {}, column {}: {}",
                                                   place.begin.line, place.begin.column, what));
}

Value convert(const toml::node& node);

Value convert_table(const toml::table& table) {
  // The library sorts keys; a spec's nodes keep their places in the file.
  std::vector<std::pair<std::string_view, const toml::node*>> members;
  for (const auto& [key, node] : table) {
    members.emplace_back(key.str(), &node);
  }
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return a.second->source().begin < b.second->source().begin;
  });
  Value::Object object;
  for (const auto& [key, node] : members) {
    object.emplace_back(std::string(key), convert(*node));
  }
  return object;
}

Value convert(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    return convert_table(*table);
  }
  if (const auto* array = node.as_array()) {
    Value list = Value::array();
    for (const auto& item : *array) {
      list.push_back(convert(item));
    }
    return list;
  }
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  if (const auto* integer = node.as_integer()) {
    return integer->get();
  }
  if (const auto* flag = node.as_boolean()) {
    return flag->get();
  }
  if (const auto* number = node.as_floating_point()) {
    if (!std::isfinite(number->get())) {
      refuse(node.source(), "inf and nan have no place in a spec");
    }
    return number->get();
  }
  refuse(node.source(), "dates have no place in a spec; write a string");
}
}  // namespace

Value parse_toml(std::string_view text) {
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    refuse(error.source(), error.description());
  }
}

}  // namespace weir::formats
