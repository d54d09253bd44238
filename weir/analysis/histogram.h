#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weir::analysis {

/// Weighted counts of values in bins; a bin holds its lower edge, the last one also its upper.
struct BinnedData {
  std::vector<double> edges;
  std::vector<double> counts;   ///< Σ w
  std::vector<double> squares;  ///< Σ w²
};

/// Bins over ranges, `bins` in all, each range getting its share by length and at least one; the
/// gaps between ranges are bins that are not in range.
struct Binning {
  std::vector<double> edges;
  std::vector<bool> in_range;
};
Binning binning_of(const std::vector<std::vector<double>>& ranges, std::int64_t bins);

BinnedData histogram(std::span<const double> values, std::span<const double> weights,
                     std::vector<double> edges);

}  // namespace weir::analysis
