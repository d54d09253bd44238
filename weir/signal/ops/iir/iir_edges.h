#pragma once

#include <cstdint>
#include <vector>

#include "weir/signal/filter_design.h"

namespace weir::signal {

/// What a filter must do: the pass-band falls by at most `ripple_db`, the stop-band lies at least
/// `attenuation_db` down. Units: Hz, one edge each or two; 0 < edges < rate / 2.
struct BandLimits {
  std::vector<double> passband_hz;
  std::vector<double> stopband_hz;
  double ripple_db = 0;
  double attenuation_db = 0;
};

/// The band that the order of the edges tells: low-pass where the pass-band ends below the
/// stop-band, band-pass where it lies inside it.
Band band_of(const BandLimits& limits) noexcept;

/// The smallest filter of a family that keeps within limits.
struct SmallestFilter {
  Band band = Band::lowpass;
  std::int64_t order = 1;
  std::vector<double> cutoff_hz;
};

/// Butterworth meets the pass-band edges exactly, Chebyshev 2 too; the others begin there. The
/// pass-band of a band-stop is widened first where that spares orders, until both of its edges bind
/// (SciPy searches for what is solved here: the edges become geometrically symmetric).
/// Range:  not bessel, which has no such rule.
/// Source: buttord, cheb1ord, cheb2ord and ellipord of scipy.signal, whose orders these are;
///         Oppenheim & Schafer, Discrete-Time Signal Processing, 3rd ed., appendix B.
SmallestFilter smallest_filter(Family family, const BandLimits& limits, double rate_hz);

}  // namespace weir::signal
