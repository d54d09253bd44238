#pragma once

#include <memory>
#include <vector>

#include "weir/core/block.h"
#include "weir/op/device_step.h"

namespace weir::signal {

/// What turns a count of each channel into a distance from a middle, in units of a spread:
/// y = (x - middle) * factor, the middle in two parts so that it is not rounded to float32.
/// Shape: `padded_channels` entries each.
struct Centring {
  std::vector<float> middle;
  std::vector<float> rest;
  std::vector<float> factor;

  explicit Centring(std::int64_t channels);
  /// Units: counts.
  void set(std::size_t channel, double middle_count, double factor_of_count) noexcept;
};

/// Rows are independent. NaN passes.
void centre_rows(const Centring& centring, Block<const float> in, Block<float> out);

/// The same on a device, with the same bits.
std::unique_ptr<op::DeviceStep> centre_on(const op::DevicePlace& place, const op::StartPoint& at,
                                          const Centring& centring);
std::size_t centring_device_bytes(std::int64_t channels) noexcept;

}  // namespace weir::signal
