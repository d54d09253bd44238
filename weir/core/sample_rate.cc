#include "weir/core/sample_rate.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/core/error.h"

namespace weir {

SampleRate::SampleRate(Rational hz) : hz_(hz) {
  if (hz.numerator() <= 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("a sample rate of {} Hz is not positive", hz.text()));
  }
}

std::string SampleRate::text() const {
  return hz_.denominator() == 1 ? fmt::format("{} Hz", hz_.numerator())
                                : fmt::format("{} Hz ({})", hz(), hz_.text());
}

double SampleRate::seconds(std::int64_t index) const noexcept {
  return static_cast<double>(static_cast<long double>(index) *
                             static_cast<long double>(hz_.denominator()) /
                             static_cast<long double>(hz_.numerator()));
}

std::int64_t SampleRate::ceil_frames(double seconds) const {
  return ceil_product(Rational::from_decimal(seconds), hz_);
}

std::int64_t SampleRate::floor_frames(double seconds) const {
  return floor_product(Rational::from_decimal(seconds), hz_);
}

std::int64_t SampleRate::nearest_frames(double seconds) const {
  try {
    return (Rational::from_decimal(seconds) * hz_ + Rational(1, 2)).floor_times(1);
  } catch (const Error&) {
    // More digits than 64 bits hold are those of a quotient, which is nowhere near a half.
    const long double frames = static_cast<long double>(seconds) *
                               static_cast<long double>(hz_.numerator()) /
                               static_cast<long double>(hz_.denominator());
    constexpr long double kMost = 9e18L;
    if (!(frames > -kMost && frames < kMost)) {
      throw;
    }
    return static_cast<std::int64_t>(std::floor(frames + 0.5L));
  }
}

}  // namespace weir
