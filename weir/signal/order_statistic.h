#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace weir::signal {

/// Hands out the same numbers, in the same order, at every call; NaN never among them.
using Replay = std::function<void(const std::function<void(std::span<const double>)>& receive)>;

/// numpy.median of `count` > 0 replayed numbers, exactly, in at most 0.6 MiB whatever the count:
/// the mean of the two middle ones when even.
/// Cost: two to five replays. Source: radix selection on the ordered bits of a double.
double exact_median(const Replay& replay, std::int64_t count);

/// What is done to a count: count * gain - middle, or the absolute value of that.
struct CountMap {
  double gain = 1;
  double middle = 0;
  bool distance = false;
};

/// Numbers between which the middle ones almost always lie.
struct Bracket {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct Collected {
  std::size_t below = 0;   ///< Numbers below a bracket.
  std::size_t inside = 0;  ///< And in it.
};

/// A whole vector is written at a time.
inline constexpr std::size_t kCollectSlack = 64;
/// Puts the mapped counts that lie in the bracket, ends included, at the front of `inside`.
/// Range: no mapped count is NaN.
Collected collect_inside(std::span<const float> counts, const CountMap& map, const Bracket& bracket,
                         std::vector<double>& inside);

/// What one thread needs to find medians in memory; kept from one call to the next.
struct MedianRoom {
  std::vector<double> inside;
  std::vector<double> sample;
  /// Bytes it comes to for `count` numbers at most.
  static std::size_t bytes_for(std::int64_t count) noexcept;
};

/// numpy.median of counts * gain, exactly: the mean of the two middle ones when even.
/// Range: at least one count; no count * gain is NaN.
/// Cost: one pass and a partial sort of a tenth of the numbers. Source: Floyd & Rivest 1975
/// (a sample brackets the rank).
double exact_median(std::span<const float> counts, double gain, MedianRoom& room);

/// The same of |counts * gain - middle|.
double exact_median_distance(std::span<const float> counts, double gain, double middle,
                             MedianRoom& room);

struct MeanAndDeviation {
  double mean = 0;
  double deviation = 0;  ///< Population standard deviation.
};

/// Of `count` > 0 replayed numbers, in two compensated passes.
/// Source: Neumaier 1974 (sums).
MeanAndDeviation mean_and_deviation(const Replay& replay, std::int64_t count);

}  // namespace weir::signal
