#pragma once

#include <cstdint>
#include <vector>

#include "weir/core/stream.h"
#include "weir/op/operator.h"
#include "weir/signal/delay.h"

namespace weir::signal {

/// Samples moved in time by any, also negative, part of a sample or many samples.
struct FractionalDelay {
  std::vector<double> delay_samples = {};  ///< One for all channels or one for each; either these,
  std::vector<double> delay_s = {};        ///< or these.
  std::int64_t taps = 32;
  double kaiser_beta = DelayDesign{}.kaiser_beta;
  Edge edge = Edge::zero;
};

/// In samples: one, or one for each channel of the stream.
/// Errors: `invalid_spec` naming the field.
std::vector<double> delays_of(const FractionalDelay& params, const StreamInfo& in);

const op::Operator& fractional_delay_operator();

}  // namespace weir::signal
