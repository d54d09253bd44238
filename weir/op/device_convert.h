#pragma once

#include "weir/op/device_step.h"

namespace weir::op {

/// The conversions of compute/convert.h for blocks on a device, with the same bits: stored integers
/// are uploaded as they are and become the form an operator asked for there; what leaves becomes
/// physical or int16 before it is downloaded. Calls enqueue one launch each.
/// Shape: tables are float32 with one entry per channel.
class DeviceConvert {
 public:
  explicit DeviceConvert(const DevicePlace& place);

  /// out = float(in) + shift, for int16 and float32.
  void shift(const DeviceBlock& in, const compute::Buffer& shift, const DeviceBlock& out);
  /// out = in * gain + offset, for int16 and float32.
  void to_physical(const DeviceBlock& in, const compute::Buffer& gain,
                   const compute::Buffer& offset, const DeviceBlock& out);
  /// out = in * scale rounded half to even, clipped to int16. `clipped` ([channels] int32) grows by
  /// the samples of each channel that were clipped or NaN.
  void to_int16(const DeviceBlock& in, const compute::Buffer& scale, const compute::Buffer& clipped,
                const DeviceBlock& out);

 private:
  compute::Queue& queue_;
  compute::Kernel shift_;
  compute::Kernel physical_;
  compute::Kernel int16_;
};

}  // namespace weir::op
