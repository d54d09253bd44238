#include <algorithm>
#include <cmath>

#include "weir/signal/ops/median/median_internal.h"

namespace weir::signal {

std::size_t MedianState::sorted_floats(std::int64_t width, std::int64_t channels) noexcept {
  return width > kWidestMedianNetwork ? static_cast<std::size_t>(width * padded_channels(channels))
                                      : 0;
}

MedianState::MedianState(std::int64_t width, std::int64_t channel_count)
    : channels(channel_count),
      past(SampleType::float32, width, channel_count),
      zeros(SampleType::float32, 1, channel_count),
      sorted(sorted_floats(width, channel_count)),
      nan_count(sorted.empty() ? 0 : static_cast<std::size_t>(padded_channels(channel_count))) {}

void MedianState::rebuild_from_past() {
  const std::int64_t width = past.as<float>().frames();
  const Block<const float> rows = past.as<float>();
  last_nan = kNever;
  for (std::int64_t row = std::max<std::int64_t>(0, fed - width); row < fed; ++row) {
    const float* values = rows.row(row % width);
    if (std::any_of(values, values + channels, [](float value) { return std::isnan(value); })) {
      last_nan = row;
    }
  }
  if (sorted.empty()) {
    return;
  }
  std::vector<float> window(static_cast<std::size_t>(width));
  for (std::int64_t c = 0; c < channels; ++c) {
    std::int32_t nans = 0;
    for (std::int64_t row = 0; row < width; ++row) {
      const float value = rows.row(row)[c];
      nans += std::isnan(value) ? 1 : 0;
      window[static_cast<std::size_t>(row)] = std::isnan(value) ? 0.0F : value + 0.0F;
    }
    std::sort(window.begin(), window.end());
    const std::int64_t lanes = c / kMedianLanes * kMedianLanes * width + c % kMedianLanes;
    for (std::int64_t i = 0; i < width; ++i) {
      sorted[static_cast<std::size_t>(lanes + i * kMedianLanes)] =
          window[static_cast<std::size_t>(i)];
    }
    nan_count[static_cast<std::size_t>(c)] = nans;
  }
}

}  // namespace weir::signal
