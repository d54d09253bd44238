#pragma once

#include <optional>

#include "weir/op/operator.h"

namespace weir::signal {

/// Rounds to int16 counts: half to even, clipped to the range and counted.
struct IntCast {
  std::optional<double> gain;       ///< Physical units a count; default each channel's own.
  std::optional<double> int_scale;  ///< Counts a physical unit: 1 / gain.
};

/// The channel of the counts. Errors: `invalid_spec` naming the field.
Channel cast_channel(const IntCast& params, Channel channel, SampleType from);

const op::Operator& int_cast_operator();

}  // namespace weir::signal
