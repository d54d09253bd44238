#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/core/sample_rate.h"

namespace weir::pipeline {

/// Arithmetic of times in seconds: exact where the result is a ratio of 64-bit integers, else to
/// the nanosecond.
Rational time_sum(const Rational& a, const Rational& b);
Rational time_difference(const Rational& a, const Rational& b);
Rational time_of(std::int64_t frames, const SampleRate& rate);

/// Smallest frame count lasting at least `seconds`.
std::int64_t ceil_frames(const Rational& seconds, const SampleRate& rate);
/// The frame count nearest to `seconds`; halves go up.
std::int64_t nearest_frames(const Rational& seconds, const SampleRate& rate);

/// A moment on the world's clock.
struct Moment {
  Rational seconds;            ///< Since 1970-01-01T00:00:00Z.
  bool to_the_second = false;  ///< Written without a fraction: known to one second only.
};

/// "2026-11-30T04:11:41.25Z", with a blank for the T, without zone or with "+01:00"; empty for
/// anything else.
std::optional<Moment> parse_moment(std::string_view text);

}  // namespace weir::pipeline
