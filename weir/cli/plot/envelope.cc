#include "weir/cli/plot/envelope.h"

#include <cmath>

namespace weir::cli {

Envelope::Envelope(std::int64_t columns, std::int64_t channels)
    : columns_(columns),
      channels_(channels),
      low_(static_cast<std::size_t>(columns * channels), std::numeric_limits<float>::quiet_NaN()),
      high_(low_) {}

void Envelope::add(Block<const float> block, std::int64_t first, std::int64_t frames) {
  for (std::int64_t f = 0; f < block.frames(); ++f) {
    const std::int64_t at = first + f;
    if (at < 0 || at >= frames) {
      continue;
    }
    const std::int64_t column = at * columns_ / frames;
    float* low = &low_[static_cast<std::size_t>(column * channels_)];
    float* high = &high_[static_cast<std::size_t>(column * channels_)];
    for (std::int64_t c = 0; c < channels_; ++c) {
      low[c] = std::fmin(low[c], block(f, c));  // fmin and fmax prefer numbers to NaN
      high[c] = std::fmax(high[c], block(f, c));
    }
  }
}

std::vector<float> Envelope::column_values(const std::vector<float>& values,
                                           std::int64_t channel) const {
  std::vector<float> one(static_cast<std::size_t>(columns_));
  for (std::int64_t i = 0; i < columns_; ++i) {
    one[static_cast<std::size_t>(i)] = values[static_cast<std::size_t>(i * channels_ + channel)];
  }
  return one;
}

std::vector<float> Envelope::low(std::int64_t channel) const {
  return column_values(low_, channel);
}

std::vector<float> Envelope::high(std::int64_t channel) const {
  return column_values(high_, channel);
}

}  // namespace weir::cli
