#include "weir/signal/order_statistic.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace weir::signal {
namespace {
constexpr int kDigitBits = 16;
constexpr std::size_t kCollect = 8192;  ///< So few candidates are collected and sorted out.

/// Bits whose unsigned order is the order of the numbers (-0 before +0).
std::uint64_t ordered_bits(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

/// Numbers whose highest `bits` ordered bits are `prefix`.
struct Candidates {
  std::uint64_t prefix = 0;
  int bits = 0;
  std::int64_t count = 0;
  bool hold(double value) const noexcept {
    return bits == 0 || ordered_bits(value) >> (64 - bits) == prefix;
  }
};

/// Narrows to the candidates that share the next digit of the one of rank `rank` among them.
void narrow(const Replay& replay, Candidates& among, std::int64_t& rank) {
  std::vector<std::int64_t> histogram(std::size_t{1} << kDigitBits);
  const int shift = 64 - among.bits - kDigitBits;
  replay([&](std::span<const double> values) {
    for (const double value : values) {
      if (among.hold(value)) {
        ++histogram[(ordered_bits(value) >> shift) & ((1U << kDigitBits) - 1)];
      }
    }
  });
  std::uint64_t digit = 0;
  while (rank >= histogram[digit]) {
    rank -= histogram[digit];
    ++digit;
  }
  among = {(among.prefix << kDigitBits) | digit, among.bits + kDigitBits, histogram[digit]};
}

double of_rank(const Replay& replay, std::int64_t count, std::int64_t rank) {
  Candidates among{.count = count};
  while (among.bits < 64 && among.count > static_cast<std::int64_t>(kCollect)) {
    narrow(replay, among, rank);
  }
  std::vector<double> values;
  values.reserve(std::min(kCollect, static_cast<std::size_t>(among.count)));
  replay([&](std::span<const double> more) {
    for (const double value : more) {
      // Past 64 bits all candidates are the same number: the first one will do.
      if (among.hold(value) && values.size() < kCollect) {
        values.push_back(value);
      }
    }
  });
  const std::int64_t at = std::min(rank, static_cast<std::int64_t>(values.size()) - 1);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

/// The smallest number whose rank is above `rank`, given the one that has it.
double next_of_rank(const Replay& replay, double value, std::int64_t rank) {
  std::int64_t not_above = 0;
  double least_above = std::numeric_limits<double>::infinity();
  replay([&](std::span<const double> values) {
    for (const double other : values) {
      if (other > value) {
        least_above = std::min(least_above, other);
      } else {
        ++not_above;
      }
    }
  });
  return not_above > rank + 1 ? value : least_above;
}

class CompensatedSum {
 public:
  void add(double value) noexcept {
    const double sum = sum_ + value;
    rest_ += std::fabs(sum_) >= std::fabs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }
  double value() const noexcept { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};
}  // namespace

double exact_median(const Replay& replay, std::int64_t count) {
  const std::int64_t lower = (count - 1) / 2;
  const double low = of_rank(replay, count, lower);
  if (count % 2 == 1) {
    return low;
  }
  return (low + next_of_rank(replay, low, lower)) / 2;
}

MeanAndDeviation mean_and_deviation(const Replay& replay, std::int64_t count) {
  CompensatedSum sum;
  replay([&](std::span<const double> values) {
    for (const double value : values) {
      sum.add(value);
    }
  });
  const double mean = sum.value() / static_cast<double>(count);
  CompensatedSum squares;
  replay([&](std::span<const double> values) {
    for (const double value : values) {
      squares.add((value - mean) * (value - mean));
    }
  });
  return {mean, std::sqrt(squares.value() / static_cast<double>(count))};
}

}  // namespace weir::signal
