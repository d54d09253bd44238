#pragma once

#include "weir/signal/sections.h"

namespace weir::signal {

/// frequency / q: how far apart the -3 dB points lie.
/// Errors: `invalid_spec` naming freq_hz or q: a frequency not between 0 and Nyquist, a bandwidth
///         of half the rate or more, or one that leaves poles on the unit circle.
double checked_bandwidth(double frequency_hz, double q, double rate_hz);

/// Zero at `frequency_hz` and -3 dB half a bandwidth about it; 1 far off.
/// Range:  0 < frequency_hz < rate_hz / 2; 0 < bandwidth_hz < rate_hz / 2.
/// Source: scipy.signal.iirnotch, after Orfanidis, Introduction to signal processing, 1996, 11.3.
Section notch_section(double frequency_hz, double bandwidth_hz, double rate_hz);

/// 1 at `frequency_hz` and -3 dB half a bandwidth about it; zero far off.
/// Source: scipy.signal.iirpeak, the same.
Section peak_section(double frequency_hz, double bandwidth_hz, double rate_hz);

}  // namespace weir::signal
