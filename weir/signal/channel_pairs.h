#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "weir/core/error.h"
#include "weir/op/schema.h"

namespace weir::signal {

/// Pairs of channels by index or name, as `find_channel` takes them: [[0, 1], ["A", "B"]].
struct ChannelPairs {
  std::vector<std::array<Value, 2>> list;
};

}  // namespace weir::signal

namespace weir::op {
template <>
struct Codec<signal::ChannelPairs> {
  static std::string type() { return "any"; }
  static std::vector<std::string> choices() { return {}; }
  static signal::ChannelPairs read(const Value& value) {
    signal::ChannelPairs pairs;
    for (const auto& pair : value.as_array()) {
      if (!pair.is_array() || pair.as_array().size() != 2) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("{} is no pair; each is a list of two channels: [[0, 1], [1, 2]]",
                                to_json(pair)));
      }
      pairs.list.push_back({pair.as_array()[0], pair.as_array()[1]});
    }
    return pairs;
  }
  static Value write(const signal::ChannelPairs& pairs) {
    Value list = Value::array();
    for (const auto& [first, second] : pairs.list) {
      list.push_back(Value::Array{first, second});
    }
    return list;
  }
};
}  // namespace weir::op
