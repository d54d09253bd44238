#pragma once

#include "weir/op/operator.h"

namespace weir::signal {

enum class SaturationDirection {
  both,   ///< |x| >= level
  upper,  ///< x >= level
  lower   ///< x <= level, which is below 0
};

enum class SaturationMode {
  linear,  ///< A line from the sample before to the sample after.
  zeros    ///< 0 physical units.
};

/// Replaces what stands around saturated samples, channel by channel. Units: each channel's own.
struct RemoveSaturation {
  double level = 0;
  SaturationDirection direction = SaturationDirection::both;
  double before_s = 0.0005;
  double after_s = 0.001;
  SaturationMode mode = SaturationMode::linear;
  double max_blank_s = 0.05;  ///< linear: longer stretches are 0.
};

const op::Operator& remove_saturation_operator();

}  // namespace weir::signal
