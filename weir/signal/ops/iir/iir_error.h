#pragma once

#include <cstdint>
#include <span>

#include "weir/signal/linear_system.h"
#include "weir/signal/sections.h"

namespace weir::signal {

/// Predicted error of a cascade that keeps its state in float32 delta form, as a share of full
/// scale: white input of standard deviation 1 (full scale 4.8) on top of a constant `dc`. Source:
/// numerics.md, criterion E. Roundings are taken as independent and uniform; every rounded
///         value of every section is followed to the output, and coefficients rounded to float32
///         add the change of the response.
double float32_error(std::span<const Section> sections, double dc);

/// The same of a state in float64, whose roundings are those of float32 but smaller.
double float64_error(std::span<const Section> sections, double dc);

/// The offset, in standard deviations, that `precision = "auto"` prepares for.
inline constexpr double kAssumedDc = 10;

/// Frames after which the impulse response h is spent: the sum of |h| from there on is at most
/// `tolerance` / sum of |h|. Exact up to 4096 frames, beyond rounded up by at most 1 part in 1000
/// or so.
std::int64_t run_in_frames(std::span<const Section> sections, double tolerance);

/// How the states (s1, s2 of each section) move in `frames` frames of zero input.
/// Shape: [2 sections, 2 sections]. `coefficients` as `delta_coefficients` gives them.
SquareMatrix state_transition(std::span<const double> coefficients, std::int64_t frames);

}  // namespace weir::signal
