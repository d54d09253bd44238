#pragma once

#include "weir/op/operator.h"
#include "weir/signal/channel_pairs.h"
#include "weir/signal/spectral_plan.h"

namespace weir::signal {

/// Magnitude-squared coherence of pairs of channels: one table for each segment, a row for each
/// frequency.
struct Coherence : SpectralWindows {
  ChannelPairs pairs;
  Value reference_channel;
};

const op::Operator& coherence_operator();

}  // namespace weir::signal
