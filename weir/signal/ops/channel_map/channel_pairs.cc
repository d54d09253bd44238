#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/signal/ops/channel_map/channel_map_internal.h"

namespace weir::op {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

signal::ChannelPair read_pair(const Value& value) {
  signal::ChannelPair pair;
  const std::vector<std::string> known{"from", "to", "name"};
  for (const auto& [key, member] : value.as_object()) {
    if (key == "from") {
      pair.from = member;
    } else if (key == "to") {
      pair.to = in_context("to", [&member = member] { return member.as_integer(); });
    } else if (key == "name") {
      pair.name = in_context("name", [&member = member] { return member.as_string(); });
    } else {
      const auto nearest = nearest_word(key, known);
      refuse(nearest ? fmt::format("unknown key \"{}\"; did you mean \"{}\"?", key, *nearest)
                     : fmt::format("unknown key \"{}\"; known: from, to, name", key));
    }
  }
  for (const char* key : {"from", "to"}) {
    if (value.find(key) == nullptr) {
      refuse(fmt::format("{} is required", key));
    }
  }
  return pair;
}
}  // namespace

signal::ChannelPairList Codec<signal::ChannelPairList>::read(const Value& value) {
  signal::ChannelPairList pairs;
  for (const auto& item : value.as_array()) {
    const auto place = fmt::format("pair {}", pairs.list.size());
    pairs.list.push_back(in_context(place, [&item] { return read_pair(item); }));
  }
  return pairs;
}

Value Codec<signal::ChannelPairList>::write(const signal::ChannelPairList& pairs) {
  Value list = Value::array();
  for (const auto& pair : pairs.list) {
    Value object = Value::object();
    object.set("from", pair.from);
    object.set("to", pair.to);
    if (!pair.name.empty()) {
      object.set("name", pair.name);
    }
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace weir::op
