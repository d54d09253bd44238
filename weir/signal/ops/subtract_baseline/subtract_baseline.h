#pragma once

#include "weir/op/operator.h"

namespace weir::signal {

enum class BaselineStatistic { mean, median };

/// x minus the mean or the median of the segment's first seconds, channel by channel.
struct SubtractBaseline {
  double baseline_s = 0;
  BaselineStatistic statistic = BaselineStatistic::mean;
};

const op::Operator& subtract_baseline_operator();

}  // namespace weir::signal
