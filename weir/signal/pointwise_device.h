#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "weir/op/device_step.h"

namespace weir::signal {

/// A kernel that makes each row of one row, without memory. Its arguments: the block, the room
/// (buffer, first element, stride each), the tables, frames (index), channels (int), the choices
/// (int each), and fours, across, tile_rows as `op::FourTiles` has them.
struct PointwiseKernel {
  const compute::KernelSource& source;
  std::string_view entry;
  /// Shape: each has one number for every channel of the stream, or more.
  std::vector<std::vector<float>> tables = {};
  std::vector<std::int32_t> choices = {};
};

/// The device side of a step that is nothing but such a kernel: one launch a block.
std::unique_ptr<op::DeviceStep> pointwise_on(const op::DevicePlace& place, const op::StartPoint& at,
                                             const PointwiseKernel& kernel);

/// The device memory of that many tables.
std::size_t pointwise_bytes(std::int64_t channels, std::size_t tables) noexcept;

}  // namespace weir::signal
