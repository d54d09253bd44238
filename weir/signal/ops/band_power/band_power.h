#pragma once

#include <string>
#include <vector>

#include "weir/op/operator.h"
#include "weir/signal/spectral_plan.h"

namespace weir::signal {

/// A range of frequencies, both ends included.
struct FrequencyBand {
  std::string name;  ///< Empty for a band that has only its edges.
  double low_hz = 0;
  double high_hz = 0;
  friend bool operator==(const FrequencyBand&, const FrequencyBand&) = default;
};

/// {"theta": [4, 8]}, or [[4, 8], …] for bands without names.
struct FrequencyBands {
  std::vector<FrequencyBand> list;
};

enum class BandIntegral { simpson, trapezoid };

/// The power in bands of frequencies over time: a row for each window, a channel for each band of
/// each channel.
struct BandPower : SpectralWindows {
  FrequencyBands bands;
  BandIntegral integral = BandIntegral::simpson;
  bool relative = false;
};

/// What the values of `count` equally spaced places are multiplied by to integrate them.
/// Range:  `count` >= 2.
/// Source: Simpson's rule; for an even count the last interval as Cartwright, Journal of
/// Mathematical Sciences and Mathematics Education 11(2), 2016, equation 8.
std::vector<double> integral_weights(BandIntegral integral, std::int64_t count, double spacing);

const op::Operator& band_power_operator();

}  // namespace weir::signal
