#pragma once

#include "weir/signal/channel_matrix.h"
#include "weir/signal/channel_pairs.h"

namespace weir::signal {

enum class BipolarOrder { channels, x, y, z };

/// Differences of neighbours, in place of the channels.
struct Bipolar {
  ChannelPairs pairs;  ///< The first less the second; instead of neighbours.
  BipolarOrder along = BipolarOrder::channels;  ///< Which order makes neighbours, in each group.
};

/// One row for each difference, then one for each channel that is no voltage, unchanged.
/// Errors: `invalid_spec` naming the field: channels that are unknown, the same or not comparable,
///         a pair that is given twice, positions that are missing, no pair at all.
ChannelMatrix plan_bipolar(const Bipolar& params, const StreamInfo& in);

const op::Operator& bipolar_operator();

}  // namespace weir::signal
