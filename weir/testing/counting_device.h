#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "weir/compute/device.h"

namespace weir::testing {

/// What a device has been asked for. Its steps may be made by several threads at once.
struct DeviceCounts {
  std::atomic<std::size_t> bytes = 0;       ///< Allocated now.
  std::atomic<std::size_t> most_bytes = 0;  ///< At any moment.
  std::atomic<std::int64_t> allocations = 0;
  std::atomic<std::int64_t> commands = 0;  ///< Launches, clears and copies.
  std::atomic<std::int64_t> launches = 0;
};

/// What it says of a failed launch.
inline constexpr const char* kLostDevice = "the device is lost, says the test";

/// `device`, but from launch number `good_launches` on every launch fails with `device` and
/// kLostDevice.
std::unique_ptr<compute::Device> failing_device(compute::Device& device,
                                                std::int64_t good_launches);

/// What it says where there is no room.
inline constexpr const char* kFullDevice = "the device is full, says the test";

/// `device`, but after `good_allocations` there is room for no more.
std::unique_ptr<compute::Device> full_device(compute::Device& device,
                                             std::int64_t good_allocations);

/// `device` as seen through a counter: what is made with it works on `device`.
/// Lives: `counts` longer than the device and its buffers.
std::unique_ptr<compute::Device> counting_device(compute::Device& device, DeviceCounts& counts);

}  // namespace weir::testing
