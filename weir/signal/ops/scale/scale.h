#pragma once

#include "weir/op/operator.h"

namespace weir::signal {

/// A linear change of the physical value: physical' = physical * gain + offset.
struct Scale {
  double gain = 1;
  double offset = 0;  ///< In each channel's own unit.
};

/// The same counts under the new description: gain' = gain * a, offset' = offset * a + b.
/// Errors: `invalid_spec` when the factor is 0 or the new gain or offset is not a finite number
///         that can be divided by.
Channel scaled(const Scale& params, Channel channel);

const op::Operator& scale_operator();

}  // namespace weir::signal
