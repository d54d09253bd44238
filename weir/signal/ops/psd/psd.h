#pragma once

#include "weir/op/operator.h"
#include "weir/signal/spectral_plan.h"

namespace weir::signal {

enum class PsdAverage { mean, median };

/// Welch's power spectra: one table for each segment, a row for each frequency.
struct Psd : SpectralWindows {
  SpectralScaling scaling = SpectralScaling::density;
  PsdAverage average = PsdAverage::mean;
};

/// What the median of so many exponential variables is of their mean.
/// Source: Allen et al., Physical Review D 85, 122006 (2012), appendix B.
double median_bias(std::int64_t count) noexcept;

const op::Operator& psd_operator();

}  // namespace weir::signal
