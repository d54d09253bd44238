#include "weir/analysis/histogram.h"

#include <algorithm>
#include <cmath>

namespace weir::analysis {

Binning binning_of(const std::vector<std::vector<double>>& ranges, std::int64_t bins) {
  double length = 0;
  for (const auto& range : ranges) {
    length += range[1] - range[0];
  }
  Binning binning{{ranges.front()[0]}, {}};
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const double lower = ranges[r][0];
    const double upper = ranges[r][1];
    if (lower > binning.edges.back()) {
      binning.edges.push_back(lower);
      binning.in_range.push_back(false);
    }
    const auto own = std::max<std::int64_t>(
        1, std::llround(static_cast<double>(bins) * (upper - lower) / length));
    for (std::int64_t i = 1; i <= own; ++i) {
      binning.edges.push_back(i == own ? upper
                                       : lower + (upper - lower) * static_cast<double>(i) /
                                                     static_cast<double>(own));
      binning.in_range.push_back(true);
    }
  }
  return binning;
}

BinnedData histogram(std::span<const double> values, std::span<const double> weights,
                     std::vector<double> edges) {
  BinnedData data{std::move(edges), {}, {}};
  data.counts.resize(data.edges.size() - 1);
  data.squares.resize(data.counts.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    if (!(x >= data.edges.front() && x <= data.edges.back())) {
      continue;
    }
    const auto above =
        std::upper_bound(data.edges.begin(), data.edges.end(), x) - data.edges.begin();
    const auto bin = std::min(static_cast<std::size_t>(above) - 1, data.counts.size() - 1);
    const double w = weights.empty() ? 1.0 : weights[i];
    data.counts[bin] += w;
    data.squares[bin] += w * w;
  }
  return data;
}

}  // namespace weir::analysis
