#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace weir {

/// An exact ratio of 64-bit integers, always reduced, denominator positive.
/// Errors: `invalid_spec` when a result does not fit or a denominator is zero.
class Rational {
 public:
  constexpr Rational() = default;
  explicit Rational(std::int64_t numerator, std::int64_t denominator = 1);

  /// The number whose shortest decimal text round-trips `value`: 30000.12 is 750003/25.
  /// Errors: `invalid_spec` for NaN, infinities and values that need more than 64 bits.
  static Rational from_decimal(double value);

  std::int64_t numerator() const noexcept { return numerator_; }
  std::int64_t denominator() const noexcept { return denominator_; }
  double to_double() const noexcept;
  std::string text() const;  ///< "750003/25", or "30000" for integers.

  /// Largest integer <= this * `count`, computed without rounding.
  std::int64_t floor_times(std::int64_t count) const;
  /// Smallest integer >= this * `count`, computed without rounding.
  std::int64_t ceil_times(std::int64_t count) const;

  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

/// Smallest integer >= a * b, exactly.
std::int64_t ceil_product(const Rational& a, const Rational& b);
/// Largest integer <= a * b, exactly.
std::int64_t floor_product(const Rational& a, const Rational& b);

}  // namespace weir
