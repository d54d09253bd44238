#include "weir/formats/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

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
/// Refuses, while a document is parsed, what the parser itself lets pass.
class Watch {
 public:
  using Event = nlohmann::ordered_json::parse_event_t;

  bool see(int depth, Event event, const nlohmann::ordered_json& item) {
    // Depth is bounded first: the parser and `convert` recurse once a level.
    if (depth > 200) {
      throw Error(ErrorCode::corrupt_data, "JSON is nested more than 200 levels deep");
    }
    if (event == Event::object_start) {
      keys_.emplace_back();
    } else if (event == Event::object_end) {
      keys_.pop_back();
    } else if (event == Event::key && !keys_.back().insert(item.get<std::string>()).second) {
      throw Error(
          ErrorCode::corrupt_data,
          fmt::format("the key \"{}\" appears twice in one JSON object", item.get<std::string>()));
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;  ///< Of every object that is open.
};
}  // namespace

Value parse_json(std::string_view text) {
  Watch watch;
  const auto watched = [&watch](int depth, nlohmann::ordered_json::parse_event_t event,
                                nlohmann::ordered_json& item) {
    return watch.see(depth, event, item);
  };
  try {
    return convert(nlohmann::ordered_json::parse(text, watched));
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
