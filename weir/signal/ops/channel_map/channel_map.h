#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/op/operator.h"

namespace weir::signal {

/// One input that goes on as one output.
struct ChannelPair {
  Value from;           ///< An index from `base` on, or a name.
  std::int64_t to = 0;  ///< From `base` on.
  std::string name;     ///< Empty keeps the input's.
};

struct ChannelPairList {
  std::vector<ChannelPair> list;
};

/// Puts channels into another order, leaves some out, names and places them.
struct ChannelMap {
  ChannelPairList pairs;
  Value file;  ///< Instead of pairs: an object with a table `channel_map` or `remap` of them.
  std::optional<std::int64_t> base;  ///< What the first channel is called: 0 (if left out) or 1.
  Value probe;                       ///< A probeinterface document.
};

/// Where the outputs come from, and what they are.
struct PlannedMap {
  std::vector<std::int32_t> from;  ///< Per output: the input.
  std::vector<Channel> channels;   ///< The outputs.
  std::vector<std::string> decisions;

  /// Whether every channel stays where it is.
  bool keeps_order(std::int64_t inputs) const noexcept;
};

/// Contacts of a probe belong to positions in the file that channels come from, so that wiring
/// holds for a selection of channels too. With a probe, a channel without a contact has no
/// position.
/// Errors: `invalid_spec` naming the field: neither pairs, a file nor a probe, or pairs and a file;
///         a channel that is unknown; the same input or output twice; an output without an input;
///         a name that is given twice; a probe none of whose contacts is wired to a channel of the
///         stream, or one that two channels would share.
PlannedMap plan_channel_map(const ChannelMap& params, const StreamInfo& in);

const op::Operator& channel_map_operator();

}  // namespace weir::signal
