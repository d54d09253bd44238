#pragma once

#include <optional>

#include "weir/op/operator.h"

namespace weir::signal {

/// Holds physical values within limits, as numpy.clip. Units: each channel's own.
struct Clamp {
  std::optional<double> min;
  std::optional<double> max;
};

/// Errors: `invalid_spec` when there is no limit, one is NaN, or min is above max.
void check_limits(const Clamp& params);

const op::Operator& clamp_operator();

}  // namespace weir::signal
