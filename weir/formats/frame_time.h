#pragma once

#include <cstdint>

#include "weir/core/sample_rate.h"

namespace weir::formats {

/// The time of frame `frame` on a clock that starts with frame 0, in seconds: exact, or to the
/// nanosecond where the exact ratio does not fit 64 bits.
/// Errors: `invalid_spec` beyond 9e9 s.
Rational frame_time(std::int64_t frame, const SampleRate& rate);

/// A number of seconds as an exact ratio, or to the nanosecond where that does not fit 64 bits.
/// Errors: `invalid_spec` for NaN and beyond 9e9 s.
Rational exact_seconds(double seconds);

}  // namespace weir::formats
