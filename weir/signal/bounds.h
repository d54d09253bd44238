#pragma once

#include <memory>
#include <vector>

#include "weir/core/block.h"
#include "weir/op/device_step.h"

namespace weir::signal {

/// The least and the greatest count of each channel; -inf and +inf where there is none.
/// Shape: `padded_channels` entries each.
struct Bounds {
  std::vector<float> least;
  std::vector<float> most;
};

/// The counts whose physical values are the nearest to [min, max] of each channel: where a gain is
/// negative the two change places. Shape: `min`, `max` have one entry a channel.
/// Units: those of each channel.
Bounds bounds_of(const std::vector<Channel>& channels, const std::vector<double>& min,
                 const std::vector<double>& max);

/// Counts past a bound become the bound; NaN passes.
void clip_rows(const Bounds& bounds, Block<const float> in, Block<float> out);

/// The same on a device, with the same bits.
std::unique_ptr<op::DeviceStep> clip_on(const op::DevicePlace& place, const op::StartPoint& at,
                                        const Bounds& bounds);
std::size_t clip_device_bytes(std::int64_t channels) noexcept;

}  // namespace weir::signal
