#pragma once

#include <vector>

#include "weir/op/device_step.h"

namespace weir::op {

/// Takes some channels of rows on a device, in an order of their own, and puts them side by side.
class DevicePick {
 public:
  /// `channels`: which ones, in the order of the output.
  DevicePick(const DevicePlace& place, const std::vector<std::int32_t>& channels);

  /// out[t, j] = in[t, channels[j]]; one launch.
  /// Shape: both of the same type, int16 or float32; `out` has as many channels as were picked.
  void pick(const DeviceBlock& in, const DeviceBlock& out);

 private:
  compute::Queue& queue_;
  compute::Kernel floats_;
  compute::Kernel counts_;
  compute::Buffer list_;
  std::int32_t count_;
};

}  // namespace weir::op
