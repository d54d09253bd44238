#include <algorithm>

#include "weir/signal/order_statistic.h"

namespace weir::signal {
namespace {
constexpr std::size_t kSample = 4096;
/// Four standard deviations of the rank that a sample's middle number has in the whole.
constexpr std::size_t kMargin = 128;

double mapped(float count, const CountMap& map) {
  const double value = double{count} * map.gain - map.middle;
  return map.distance ? std::fabs(value) : value;
}

Bracket bracket_of(std::span<const float> counts, const CountMap& map,
                   std::vector<double>& sample) {
  if (counts.size() < 4 * kSample) {
    return {};
  }
  sample.resize(kSample);
  const std::size_t stride = counts.size() / kSample;
  for (std::size_t i = 0; i < kSample; ++i) {
    // Unevenly spaced, so that nothing periodic hides from the sample.
    sample[i] = mapped(counts[i * stride + i * 7919 % stride], map);
  }
  const auto low = sample.begin() + (kSample / 2 - kMargin);
  const auto high = sample.begin() + (kSample / 2 + kMargin);
  std::nth_element(sample.begin(), low, sample.end());
  std::nth_element(low + 1, high, sample.end());
  return {*low, *high};
}

double median_of(std::span<const float> counts, const CountMap& map, MedianRoom& room) {
  const std::size_t lower = (counts.size() - 1) / 2;
  const std::size_t upper = counts.size() / 2;
  auto found = collect_inside(counts, map, bracket_of(counts, map, room.sample), room.inside);
  if (lower < found.below || upper >= found.below + found.inside) {
    found = collect_inside(counts, map, Bracket{}, room.inside);
  }
  const auto begin = room.inside.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(found.inside);
  const auto low = begin + static_cast<std::ptrdiff_t>(lower - found.below);
  std::nth_element(begin, low, end);
  return lower == upper ? *low : (*low + *std::min_element(low + 1, end)) / 2;
}
}  // namespace

std::size_t MedianRoom::bytes_for(std::int64_t count) noexcept {
  return (static_cast<std::size_t>(count) + kCollectSlack + kSample) * sizeof(double);
}

double exact_median(std::span<const float> counts, double gain, MedianRoom& room) {
  return median_of(counts, {.gain = gain}, room);
}

double exact_median_distance(std::span<const float> counts, double gain, double middle,
                             MedianRoom& room) {
  return median_of(counts, {gain, middle, true}, room);
}

}  // namespace weir::signal
