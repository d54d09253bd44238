#pragma once

#include <span>

#include "weir/core/block.h"
#include "weir/signal/ops/channel_map/channel_map.h"

namespace weir::op {

template <>
struct Codec<signal::ChannelPairList> {
  static std::string type() { return "any"; }
  static std::vector<std::string> choices() { return {}; }
  /// Errors: `invalid_spec` for what is no list of {from, to, name}, unknown keys included.
  static signal::ChannelPairList read(const Value& value);
  static Value write(const signal::ChannelPairList& pairs);
};

}  // namespace weir::op

namespace weir::signal {

/// Column j of `out` is column list[j] of `in`, bit by bit.
/// Shape: `list` is padded to whole lanes with any column's index.
void pick_columns(std::span<const std::int32_t> list, Block<const float> in, Block<float> out);
void pick_columns(std::span<const std::int32_t> list, Block<const std::int16_t> in,
                  Block<std::int16_t> out);

}  // namespace weir::signal
