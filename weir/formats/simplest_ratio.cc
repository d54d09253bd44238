#include "weir/formats/simplest_ratio.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr long double kLimit = 0x1p62L;
constexpr std::size_t kDeepest = 64;

/// The continued fraction of the simplest number in [low, high], both positive.
std::optional<std::vector<std::int64_t>> fraction(long double low, long double high) {
  std::vector<std::int64_t> terms;
  while (terms.size() < kDeepest) {
    const long double whole = std::ceil(low);
    if (!(whole < kLimit)) {
      return std::nullopt;
    }
    if (whole <= high) {
      terms.push_back(static_cast<std::int64_t>(whole));
      return terms;
    }
    const long double below = std::floor(low);
    terms.push_back(static_cast<std::int64_t>(below));
    const long double next_low = 1 / (high - below);
    high = 1 / (low - below);
    low = next_low;
  }
  return std::nullopt;
}
}  // namespace

std::optional<Rational> simplest_ratio(long double low, long double high) {
  if (!(low <= high)) {
    return std::nullopt;
  }
  if (low <= 0 && high >= 0) {
    return Rational(0);
  }
  const bool negative = high < 0;
  const auto terms = negative ? fraction(-high, -low) : fraction(low, high);
  if (!terms) {
    return std::nullopt;
  }
  try {
    Rational value(terms->back());
    for (auto term = terms->rbegin() + 1; term != terms->rend(); ++term) {
      value = Rational(*term) + Rational(1) / value;
    }
    return negative ? Rational(0) - value : value;
  } catch (const Error&) {  // Beyond 64 bits.
    return std::nullopt;
  }
}

}  // namespace weir::formats
