#pragma once

#include <cstdint>
#include <memory>

#include "weir/compute/device.h"
#include "weir/op/step.h"

namespace weir::op {

/// A stretch of a stream in device memory.
/// Shape: [frames, channels], frame-major: frame f, channel c is element first + f * stride + c of
/// the buffer. Lanes from `channels` on up to `stride` mean nothing.
struct DeviceBlock {
  compute::Buffer buffer;
  SampleType type = SampleType::float32;
  std::int64_t first = 0;  ///< Element of the first frame: blocks lie anywhere in a ring.
  std::int64_t frames = 0;
  std::int64_t channels = 0;
  std::int64_t stride = 0;
};

/// Where a step's kernels are compiled, its state lives and its launches go, in order.
/// Lives: longer than the steps made with it.
struct DevicePlace {
  compute::Device& device;
  compute::Queue& queue;
};

/// A planned step and its State for one segment and one group of channels, resident on a device.
/// Blocks come as they come to `Step::run`: in order, in the step's input form, cut at multiples of
/// its `grid_frames()`. Calls enqueue and do not wait: how many frames come out follows from how
/// many went in.
class DeviceStep {
 public:
  virtual ~DeviceStep() = default;
  /// Consumes `in`, fills `out` from its first frame, returns the number of frames filled. `out`
  /// has room for `Step::max_output(in.frames)` and shares no element with `in`.
  virtual std::int64_t run(const DeviceBlock& in, const DeviceBlock& out) = 0;
  /// End of the segment: the held-back tail, as much as `out` has room for. `frames` says how many.
  /// Called until it returns true.
  virtual bool finish(const DeviceBlock& out, std::int64_t& frames);
};

}  // namespace weir::op
