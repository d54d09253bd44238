#pragma once

#include <cstdint>
#include <span>

#include "weir/signal/prototype.h"
#include "weir/signal/sections.h"

namespace weir::signal {

enum class Band { lowpass, highpass, bandpass, bandstop };

/// A digital filter as a cascade: the prototype's frequency 1 falls on the edges.
/// Shape:  bandpass and bandstop: as many sections as the prototype has poles; lowpass and
///         highpass: half as many, rounded up. The gain stands in the first section; the poles
///         nearest the unit circle are in the last one, with the zeros nearest to them.
/// Units:  `edges_hz` (one, or low and high) and `rate_hz` in Hz; 0 < edges < rate_hz / 2,
///         ascending.
/// Source: band transform and bilinear transform with prewarped edges: Oppenheim & Schafer,
///         Discrete-Time Signal Processing, 3rd ed., 7.2.
Sections digital_filter(const Prototype& prototype, Band band, std::span<const double> edges_hz,
                        double rate_hz);

/// Flat in the band and -3 dB at the edges.
Sections butterworth(Band band, std::int64_t order, std::span<const double> edges_hz,
                     double rate_hz);

}  // namespace weir::signal
