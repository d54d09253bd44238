#include "weir/core/rational.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "weir/core/error.h"

namespace weir {
namespace {
__extension__ using Wide = __int128;

Wide wide_gcd(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Rational reduced(Wide numerator, Wide denominator) {
  if (denominator == 0) {
    throw Error(ErrorCode::invalid_spec, "a ratio has the denominator 0");
  }
  const Wide divisor = wide_gcd(numerator, denominator);
  if (divisor > 1) {
    numerator /= divisor;
    denominator /= divisor;
  }
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  constexpr Wide kLimit = std::numeric_limits<std::int64_t>::max();
  if (numerator > kLimit || numerator < -kLimit || denominator > kLimit) {
    throw Error(ErrorCode::invalid_spec, "a ratio does not fit 64-bit integers");
  }
  return Rational(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator));
}

Wide floor_divide(Wide numerator, Wide denominator) {
  const Wide quotient = numerator / denominator;
  return quotient - ((numerator % denominator != 0 && numerator < 0) ? 1 : 0);
}

std::int64_t narrow(Wide value) {
  if (value > std::numeric_limits<std::int64_t>::max() ||
      value < std::numeric_limits<std::int64_t>::min()) {
    throw Error(ErrorCode::invalid_spec, "an index does not fit 64 bits");
  }
  return static_cast<std::int64_t>(value);
}

/// Digits and decimal exponent of the shortest text of a positive double.
struct Decimal {
  Wide digits = 0;
  int exponent = 0;
};

Decimal shortest_decimal(double value) {
  const std::string text = fmt::format("{}", value);
  Decimal result;
  bool fraction = false;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != 'e'; ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    result.digits = result.digits * 10 + (text[at] - '0');
    result.exponent -= fraction ? 1 : 0;
  }
  if (at < text.size()) {
    result.exponent += std::stoi(text.substr(at + 1));
  }
  return result;
}
}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  constexpr std::int64_t kNoOpposite = std::numeric_limits<std::int64_t>::min();
  if (denominator == 0) {
    throw Error(ErrorCode::invalid_spec, "a ratio has the denominator 0");
  }
  if (numerator == kNoOpposite || denominator == kNoOpposite) {
    throw Error(ErrorCode::invalid_spec, "a ratio does not fit 64-bit integers");
  }
  const std::int64_t divisor = std::gcd(numerator, denominator);
  numerator_ = numerator / divisor;
  denominator_ = denominator / divisor;
  if (denominator_ < 0) {
    numerator_ = -numerator_;
    denominator_ = -denominator_;
  }
}

Rational Rational::from_decimal(double value) {
  if (!std::isfinite(value)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} is not a finite number", value));
  }
  if (value == 0) {
    return Rational(0);
  }
  const auto [digits, exponent] = shortest_decimal(std::fabs(value));
  if (exponent > 18 || exponent < -36) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{} does not fit a ratio of 64-bit integers", value));
  }
  Wide power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) {
    power *= 10;
  }
  const Wide numerator = exponent > 0 ? digits * power : digits;
  return reduced(value < 0 ? -numerator : numerator, exponent < 0 ? power : 1);
}

double Rational::to_double() const noexcept {
  return static_cast<double>(static_cast<long double>(numerator_) /
                             static_cast<long double>(denominator_));
}

std::string Rational::text() const {
  return denominator_ == 1 ? fmt::format("{}", numerator_)
                           : fmt::format("{}/{}", numerator_, denominator_);
}

std::int64_t Rational::floor_times(std::int64_t count) const {
  return narrow(floor_divide(Wide{numerator_} * count, denominator_));
}

std::int64_t Rational::ceil_times(std::int64_t count) const {
  return narrow(-floor_divide(-Wide{numerator_} * count, denominator_));
}

Rational operator*(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
}

Rational operator/(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
}

Rational operator+(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
                 Wide{a.denominator_} * b.denominator_);
}

Rational operator-(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator_} * b.denominator_ - Wide{b.numerator_} * a.denominator_,
                 Wide{a.denominator_} * b.denominator_);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const Wide left = Wide{a.numerator_} * b.denominator_;
  const Wide right = Wide{b.numerator_} * a.denominator_;
  return left < right
             ? std::strong_ordering::less
             : (left > right ? std::strong_ordering::greater : std::strong_ordering::equal);
}

std::int64_t ceil_product(const Rational& a, const Rational& b) {
  const Rational product = a * b;
  return product.ceil_times(1);
}

std::int64_t floor_product(const Rational& a, const Rational& b) {
  const Rational product = a * b;
  return product.floor_times(1);
}

}  // namespace weir
