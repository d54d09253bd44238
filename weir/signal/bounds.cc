#include "weir/signal/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/signal/bounds_cl.h"
#include "weir/signal/pointwise_device.h"

namespace weir::signal {

Bounds bounds_of(const std::vector<Channel>& channels, const std::vector<double>& min,
                 const std::vector<double>& max) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto padded =
      static_cast<std::size_t>(padded_channels(static_cast<std::int64_t>(channels.size())));
  Bounds bounds{std::vector<float>(padded, -kInfinity), std::vector<float>(padded, kInfinity)};
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const double gain = channels[c].gain;
    if (gain == 0) {
      continue;  // All its values are 0 plus the offset; no count is nearer to a bound.
    }
    const auto low = static_cast<float>(min[c] / gain);
    const auto high = static_cast<float>(max[c] / gain);
    bounds.least[c] = std::min(low, high);
    bounds.most[c] = std::max(low, high);
  }
  return bounds;
}

std::unique_ptr<op::DeviceStep> clip_on(const op::DevicePlace& place, const op::StartPoint& at,
                                        const Bounds& bounds) {
  return pointwise_on(place, at, {kernels::kBounds, "clip_rows", {bounds.least, bounds.most}, {}});
}

std::size_t clip_device_bytes(std::int64_t channels) noexcept {
  return pointwise_bytes(channels, 2);
}

}  // namespace weir::signal
