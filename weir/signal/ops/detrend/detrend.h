#pragma once

#include <optional>

#include "weir/op/operator.h"

namespace weir::signal {

enum class DetrendType {
  linear,   ///< The least-squares line of each segment is subtracted.
  constant  ///< The mean is.
};

enum class DetrendScope {
  global,  ///< Of the whole segment.
  running  ///< The mean of a window around each sample.
};

/// scipy.signal.detrend over time, channel by channel and segment by segment.
struct Detrend {
  std::optional<DetrendType> type;  ///< Default: linear, or constant where running.
  DetrendScope scope = DetrendScope::global;
  std::optional<double> window_s;  ///< Running: the length of the window.
};

const op::Operator& detrend_operator();

}  // namespace weir::signal
