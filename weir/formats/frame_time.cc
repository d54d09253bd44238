#include "weir/formats/frame_time.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kNano = 1'000'000'000;
constexpr long double kMostSeconds = 9e9L;

Rational to_the_nanosecond(long double seconds) {
  if (!(std::fabs(seconds) <= kMostSeconds)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{} s is no time in a recording", static_cast<double>(seconds)));
  }
  return Rational(std::llround(seconds * kNano), kNano);
}
}  // namespace

Rational frame_time(std::int64_t frame, const SampleRate& rate) {
  if (frame == std::numeric_limits<std::int64_t>::min()) {  // Has no absolute value.
    throw Error(ErrorCode::invalid_spec, fmt::format("frame {} has no time in a recording", frame));
  }
  try {
    return Rational(frame) / rate.exact();
  } catch (const Error&) {
    return to_the_nanosecond(static_cast<long double>(frame) *
                             static_cast<long double>(rate.exact().denominator()) /
                             static_cast<long double>(rate.exact().numerator()));
  }
}

Rational exact_seconds(double seconds) {
  if (!(std::fabs(seconds) <= static_cast<double>(kMostSeconds))) {
    return to_the_nanosecond(seconds);
  }
  try {
    return Rational::from_decimal(seconds);
  } catch (const Error&) {
    return to_the_nanosecond(seconds);
  }
}

}  // namespace weir::formats
