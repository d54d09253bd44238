#pragma once

#include <cstdint>
#include <vector>

#include "weir/core/channel.h"
#include "weir/signal/polyphase.h"

namespace weir::signal {

/// A delay between samples: an ideal low-pass of the whole band, moved and tapered.
struct DelayDesign {
  std::int64_t taps = 24;  ///< Even: as many samples before as after the point between them.
  double kaiser_beta = 8.6;
};

/// The taps of a delay of 0 <= `fraction` < 1 samples, y[t] = sum_j h[j] x[t + taps/2 - 1 - j];
/// their sum is 1. Of 0, a single 1.
/// Source: Laakso et al. 1996, "Splitting the unit delay", III.B (windowed sinc).
std::vector<double> delay_taps(double fraction, const DelayDesign& design);

/// y[t] = x[t - delay]: one delay for all channels, or one for each; in samples.
/// Cost: the taps of one delay and as many more as the largest and the smallest lie apart.
PolyphasePlan plan_delays(const std::vector<double>& delays, const DelayDesign& design);

/// Taps that the plan of such delays would have.
std::int64_t delay_span(const std::vector<double>& delays, const DelayDesign& design);

/// The highest frequency, as a fraction of the sample rate, below which each delay is within
/// `error` of the amplitude of a sine.
double delay_band(const std::vector<double>& delays, const DelayDesign& design, double error);

}  // namespace weir::signal
