#pragma once

#include <cmath>
#include <cstdint>

#include "weir/core/rational.h"
#include "weir/signal/generate/counter_random.h"

namespace weir::signal {

/// Close to exp(-x²/2), from multiplications alone: (1 - x²/512)^256, 0 beyond |x| = 6.
/// Source: the limit that defines the exponential; off by less than 0.003.
constexpr double bell(double x) noexcept {
  const double square = x * x;
  if (square > 36) {
    return 0;
  }
  double power = 1 - square / 512;
  for (int i = 0; i < 8; ++i) {
    power *= power;
  }
  return power;
}

/// sin(2π·turn) for turn in [0, 1). Off by less than 4e-6 (Taylor to the ninth order on a quarter).
constexpr double sine_of_turn(double turn) noexcept {
  const double sign = turn < 0.5 ? 1 : -1;
  double half = turn < 0.5 ? turn : turn - 0.5;
  half = half > 0.25 ? 0.5 - half : half;
  const double x = half * 6.283185307179586;
  const double s = x * x;
  return sign * x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))));
}

/// The fraction of a turn that frame `frame` of a wave of `turns_per_frame` has reached, exactly.
inline double turn_at(const Rational& turns_per_frame, std::int64_t frame) noexcept {
  __extension__ using Wide = __int128;
  const Wide denominator = turns_per_frame.denominator();
  const Wide turned = Wide{turns_per_frame.numerator()} * frame % denominator;
  return static_cast<double>(
             static_cast<std::int64_t>(turned < 0 ? turned + denominator : turned)) /
         static_cast<double>(turns_per_frame.denominator());
}

/// Noise that changes slowly: independent normals every `spacing` frames, joined by cubic eases.
inline double smooth_noise(std::uint64_t key, std::int64_t frame, std::int64_t spacing) noexcept {
  const std::int64_t knot = frame >= 0 ? frame / spacing : -((spacing - 1 - frame) / spacing);
  const double part = static_cast<double>(frame - knot * spacing) / static_cast<double>(spacing);
  const double ease = part * part * (3 - 2 * part);
  const double before = normal(key, static_cast<std::uint64_t>(knot));
  const double after = normal(key, static_cast<std::uint64_t>(knot + 1));
  return before + ease * (after - before);
}

/// Close to a standard normal and fast: the sum of 16 random bytes. Excess kurtosis -0.075, never
/// beyond 6.9.
inline float byte_normal(std::uint64_t key, std::uint64_t index) noexcept {
  const std::uint64_t first = mixed(key + index);
  const std::uint64_t second = mixed(first ^ 0xa0761d6478bd642fU);
  constexpr std::uint64_t kEven = 0x00ff00ff00ff00ffU;
  const std::uint64_t lanes =
      (first & kEven) + ((first >> 8U) & kEven) + (second & kEven) + ((second >> 8U) & kEven);
  const auto sum = static_cast<std::int32_t>((lanes * 0x0001000100010001U) >> 48U);
  constexpr float kInverseSd = 0.0033829757F;  // 1 / sqrt(16 (256² - 1) / 12)
  return static_cast<float>(sum - 2040) * kInverseSd;
}

/// To the nearest count, halves to even, clipped. The sum pushes the fraction out of the mantissa.
inline std::int16_t to_count(float value) noexcept {
  constexpr float kWhole = 12582912.0F;  // 1.5 · 2^23
  const float clipped = value < -32768 ? -32768 : (value > 32767 ? 32767 : value);
  return static_cast<std::int16_t>(clipped + kWhole - kWhole);
}

}  // namespace weir::signal
