#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "weir/core/block.h"

namespace weir::cli {

/// Smallest and largest value of each channel within each column of a picture, folded as blocks
/// come.
class Envelope {
 public:
  Envelope(std::int64_t columns, std::int64_t channels);

  /// Row f of `block` falls into column (first + f) * columns / frames, where `frames` are all
  /// that the picture spans. Rows outside are left out; so are NaNs.
  void add(Block<const float> block, std::int64_t first, std::int64_t frames);

  /// Of one channel, column by column; NaN for columns that nothing fell into.
  std::vector<float> low(std::int64_t channel) const;
  std::vector<float> high(std::int64_t channel) const;

 private:
  std::vector<float> column_values(const std::vector<float>& values, std::int64_t channel) const;
  std::int64_t columns_;
  std::int64_t channels_;
  std::vector<float> low_, high_;  // [columns, channels]
};

}  // namespace weir::cli
