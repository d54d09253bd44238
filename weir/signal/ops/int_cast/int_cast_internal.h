#pragma once

#include <memory>
#include <vector>

#include "weir/op/device_step.h"
#include "weir/signal/ops/int_cast/int_cast.h"

namespace weir::signal {

struct IntCastState final : op::State {
  explicit IntCastState(std::int64_t channel) : first_channel(channel) {}
  std::vector<op::Counter> counters() const override { return {{"clipped samples", clipped}}; }

  std::int64_t first_channel;
  std::int64_t clipped = 0;
};

/// Shape: `scale` has a factor for every channel of the stream.
std::unique_ptr<op::DeviceStep> int_cast_on(const op::DevicePlace& place, const op::StartPoint& at,
                                            const std::vector<float>& scale);
std::size_t int_cast_device_bytes(std::int64_t channels) noexcept;

}  // namespace weir::signal
