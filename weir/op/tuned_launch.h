#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "weir/op/device_step.h"

namespace weir::op {

/// Launches of a kernel whose items share rows with their neighbours: in groups of 32 channels by
/// as many rows as the device is fastest with. The first launch that is worth it finds that out,
/// by launching several times, unless an earlier program has (compute/tuner.h). The kernel must
/// read nothing that it writes, and give the same bits in any group.
class TunedLaunch {
 public:
  /// `usual_rows`: of devices that are not measured.
  TunedLaunch(const DevicePlace& place, compute::Kernel kernel, std::int64_t usual_rows);

  void operator()(std::array<std::int64_t, 2> items, std::span<const compute::Arg> args);

 private:
  static constexpr std::size_t kWays = 5;

  compute::Device& device_;
  compute::Queue& queue_;
  compute::Kernel kernel_;
  std::array<std::int64_t, kWays> rows_;  ///< The usual first.
  std::size_t way_ = 0;
  bool chosen_ = false;
};

}  // namespace weir::op
