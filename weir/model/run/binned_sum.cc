#include "weir/model/run/binned_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir::model {
namespace {

constexpr int kDigitBits = 40;
constexpr int kLowestTop =
    -23;  // so that the lowest digit of the lowest window can be scaled without overflow

double power_of_two(int exponent) {
  return std::ldexp(1.0, exponent);
}

/// Adds a term to a sum kept as two numbers (Knuth's exact addition).
void add_exactly(double term, double& high, double& low) {
  const double sum = high + term;
  const double part = sum - high;
  low += (high - (sum - part)) + (term - part);
  high = sum;
}

}  // namespace

void BinnedSum::raise(int top) {
  if (top_ == kEmpty) {
    top_ = top;
    return;
  }
  for (; top_ < top; ++top_) {
    for (std::size_t j = kPlaces - 1; j > 0; --j) {
      sums_[j] = sums_[j - 1];
    }
    sums_[0] = 0;
  }
}

void BinnedSum::add(double term) {
  if (!std::isfinite(term)) {
    nan_ = nan_ || std::isnan(term);
    positive_infinity_ = positive_infinity_ || term > 0;
    negative_infinity_ = negative_infinity_ || term < 0;
    return;
  }
  if (term == 0) {
    return;
  }
  const int exponent = std::ilogb(term);
  const int digit =
      exponent >= 0 ? exponent / kDigitBits : -((kDigitBits - 1 - exponent) / kDigitBits);
  const int top = std::max(digit, kLowestTop);
  if (top_ == kEmpty || top > top_) {
    raise(top);
  }
  double rest = term;
  // A term has digits in at most three places, its highest first; places below the window are
  // dropped.
  for (int place = top; place > top - kPlaces && place > top_ - kPlaces; --place) {
    const double scaled = std::trunc(rest * power_of_two(-kDigitBits * place));
    sums_[static_cast<std::size_t>(top_ - place)] += static_cast<Integer>(scaled);
    rest -= scaled * power_of_two(kDigitBits * place);
  }
}

void BinnedSum::add(const BinnedSum& other) {
  nan_ = nan_ || other.nan_;
  positive_infinity_ = positive_infinity_ || other.positive_infinity_;
  negative_infinity_ = negative_infinity_ || other.negative_infinity_;
  if (other.top_ == kEmpty) {
    return;
  }
  if (top_ == kEmpty || other.top_ > top_) {
    raise(other.top_);
  }
  for (int j = 0; j < kPlaces; ++j) {
    const int here = top_ - other.top_ + j;
    if (here < kPlaces) {
      sums_[static_cast<std::size_t>(here)] += other.sums_[static_cast<std::size_t>(j)];
    }
  }
}

double BinnedSum::value() const {
  if (nan_ || (positive_infinity_ && negative_infinity_)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (positive_infinity_ || negative_infinity_) {
    return positive_infinity_ ? std::numeric_limits<double>::infinity()
                              : -std::numeric_limits<double>::infinity();
  }
  if (top_ == kEmpty) {
    return 0.0;
  }
  // Carried upwards, the two lower digits are below 2^40 and never negative, and nothing cancels
  // any more.
  constexpr Integer kDigit = Integer{1} << kDigitBits;
  std::array<Integer, kPlaces> digits = sums_;
  for (std::size_t j = kPlaces - 1; j > 0; --j) {
    const Integer carry =
        digits[j] >= 0 ? digits[j] / kDigit : -((-digits[j] + kDigit - 1) / kDigit);
    digits[j] -= carry * kDigit;
    digits[j - 1] += carry;
  }
  const auto head = static_cast<double>(digits[0]);
  double high = head;
  double low = 0;
  add_exactly(static_cast<double>(digits[0] - static_cast<Integer>(head)), high, low);
  add_exactly(static_cast<double>(digits[1]) * power_of_two(-kDigitBits), high, low);
  add_exactly(static_cast<double>(digits[2]) * power_of_two(-2 * kDigitBits), high, low);
  return std::ldexp(high + low, kDigitBits * top_);
}

}  // namespace weir::model
