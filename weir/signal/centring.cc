#include "weir/signal/centring.h"

#include "weir/signal/centring_cl.h"
#include "weir/signal/pointwise_device.h"

namespace weir::signal {

Centring::Centring(std::int64_t channels)
    : middle(static_cast<std::size_t>(padded_channels(channels)), 0.0F),
      rest(middle.size(), 0.0F),
      factor(middle.size(), 1.0F) {}

void Centring::set(std::size_t channel, double middle_count, double factor_of_count) noexcept {
  middle[channel] = static_cast<float>(middle_count);
  rest[channel] = static_cast<float>(middle_count - double{middle[channel]});
  factor[channel] = static_cast<float>(factor_of_count);
}

std::unique_ptr<op::DeviceStep> centre_on(const op::DevicePlace& place, const op::StartPoint& at,
                                          const Centring& centring) {
  return pointwise_on(
      place, at,
      {kernels::kCentring, "centre_rows", {centring.middle, centring.rest, centring.factor}, {}});
}

std::size_t centring_device_bytes(std::int64_t channels) noexcept {
  return pointwise_bytes(channels, 3);
}

}  // namespace weir::signal
