#pragma once

#include <cstdint>
#include <string>

#include "weir/core/rational.h"

namespace weir {

/// Samples per second as an exact ratio, always positive.
class SampleRate {
 public:
  SampleRate() : hz_(1) {}
  /// Errors: `invalid_spec` unless the rate is positive.
  explicit SampleRate(Rational hz);
  /// From the shortest decimal text of a double: 30000.12 is 750003/25.
  static SampleRate from_hz(double hz) { return SampleRate(Rational::from_decimal(hz)); }

  const Rational& exact() const noexcept { return hz_; }
  double hz() const noexcept { return hz_.to_double(); }
  std::string text() const;  ///< "30000 Hz" or "30000.12 Hz (750003/25)".

  /// Seconds from index 0 to `index`.
  double seconds(std::int64_t index) const noexcept;
  /// Smallest frame count lasting at least `seconds`, in exact decimal arithmetic.
  std::int64_t ceil_frames(double seconds) const;
  /// Largest frame count lasting at most `seconds`, in exact decimal arithmetic.
  std::int64_t floor_frames(double seconds) const;
  /// The frame count nearest to `seconds`; halves go up.
  std::int64_t nearest_frames(double seconds) const;

  friend bool operator==(const SampleRate&, const SampleRate&) = default;

 private:
  Rational hz_;
};

}  // namespace weir
