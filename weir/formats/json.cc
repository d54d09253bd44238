#include "weir/formats/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
Value convert(const nlohmann::ordered_json& json) {
  if (json.is_boolean()) {
    return json.get<bool>();
  }
  if (json.is_number_integer() &&
      !(json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX)) {
    return json.get<std::int64_t>();
  }
  if (json.is_number()) {
    return json.get<double>();
  }
  if (json.is_string()) {
    return json.get<std::string>();
  }
  if (json.is_array()) {
    Value list = Value::array();
    for (const auto& item : json) {
      list.push_back(convert(item));
    }
    return list;
  }
  if (json.is_object()) {
    Value object = Value::object();
    for (const auto& [key, item] : json.items()) {
      object.set(key, convert(item));
    }
    return object;
  }
  return nullptr;
}
}  // namespace

Value parse_json(std::string_view text) {
  // Depth is bounded first: the parser and we recurse once a level.
  int depth = 0;
  const auto bounded = [&depth](int at, nlohmann::ordered_json::parse_event_t,
                                nlohmann::ordered_json&) {
    depth = at;
    if (at > 200) {
      throw Error(ErrorCode::corrupt_data, "JSON is nested more than 200 levels deep");
    }
    return true;
  };
  try {
    return convert(nlohmann::ordered_json::parse(text, bounded));
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto last = before.find_last_of('\n');
    const auto column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
    throw Error(ErrorCode::corrupt_data,
                fmt::format("not valid JSON at line {}, column {}", line, column));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::corrupt_data, fmt::format("not valid JSON: {}", error.what()));
  }
}

}  // namespace weir::formats
