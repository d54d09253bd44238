#pragma once

#include <cstdint>
#include <vector>

namespace weir::signal {

/// What a filter should do, band by band; between the bands anything goes.
/// Units: edges as fractions of Nyquist, two for each band, rising, from 0 to 1.
struct FirGoal {
  std::vector<double> edges = {};
  std::vector<double> gains = {};    ///< One for each band.
  std::vector<double> weights = {};  ///< One for each band: how much an error there counts.
};

/// The filter of odd length whose squared error, weighted and integrated over the bands, is least,
/// as scipy.signal.firls.
/// Cost:   length^3 / 24 multiply-adds.
/// Source: Selesnick, "Linear-phase FIR filter design by least squares" (normal equations).
std::vector<double> least_squares_fir(const FirGoal& goal, std::int64_t length);

/// The filter of odd length whose largest weighted error over the bands is least, as
/// scipy.signal.remez.
/// Errors: `invalid_spec` when the exchange finds no such filter.
/// Source: McClellan & Parks 1973; exchange after McClellan, Parks & Rabiner 1973.
std::vector<double> equiripple_fir(const FirGoal& goal, std::int64_t length);

}  // namespace weir::signal
