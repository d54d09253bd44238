#pragma once

#include <bit>
#include <cstdint>

namespace weir::signal {

/// Random numbers by counter: the value at (key, index) needs no earlier one, so any stretch of a
/// recording can be made alone and every cut gives the same bits. Integer arithmetic only, hence
/// equal on every machine.
/// Source: the finaliser of SplitMix64; Steele, Lea & Flood, OOPSLA 2014.
constexpr std::uint64_t mixed(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// A key for one purpose of one seed.
constexpr std::uint64_t key_of(std::uint64_t seed, std::uint64_t purpose) noexcept {
  return mixed(mixed(seed) ^ (purpose * 0xd1342543de82ef95U));
}

constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t index) noexcept {
  return mixed(key ^ mixed(index));
}

/// Uniform in [0, 1), a multiple of 2^-53.
constexpr double uniform(std::uint64_t key, std::uint64_t index) noexcept {
  return static_cast<double>(random_bits(key, index) >> 11U) * 0x1p-53;
}

/// Close to a standard normal: the number of ones among 256 random bits, centred, with a uniform
/// dither of one step. Excess kurtosis -0.008; no function of the maths library takes part.
constexpr double normal(std::uint64_t key, std::uint64_t index) noexcept {
  int ones = 0;
  std::uint64_t bits = random_bits(key, index);
  const double dither = static_cast<double>(mixed(bits) >> 11U) * 0x1p-53 - 0.5;
  for (int word = 0; word < 4; ++word) {
    ones += std::popcount(bits);
    bits = mixed(bits ^ 0xa0761d6478bd642fU);
  }
  constexpr double kInverseSd = 0.12491869917839092;  // 1 / sqrt(256/4 + 1/12)
  return (ones - 128 + dither) * kInverseSd;
}

}  // namespace weir::signal
