#pragma once

#include <optional>

#include "weir/op/operator.h"

namespace weir::signal {

enum class ZscoreScope {
  global,  ///< One middle and one spread a channel, measured before the run.
  running  ///< Those of a window around each sample.
};

enum class ZscoreMode {
  median_mad,  ///< median and median |x - median| / 0.6744897501960817
  mean_std     ///< mean and population standard deviation
};

enum class ZscoreFit {
  sample,  ///< 20 stretches of half a second, as `crossings` has them.
  whole    ///< All frames, in a pass of their own.
};

/// (x - middle) / spread, channel by channel.
struct Zscore {
  ZscoreScope scope = ZscoreScope::global;
  std::optional<ZscoreMode> mode;  ///< Default: median_mad, or mean_std where running.
  ZscoreFit fit = ZscoreFit::sample;
  std::optional<double> window_s;  ///< Running: the length of the window.
};

/// The channel of the scores: plain values without a unit.
Channel scored(Channel channel);

const op::Operator& zscore_operator();

}  // namespace weir::signal
