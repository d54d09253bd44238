#pragma once

#include <memory>

#include "weir/op/device_step.h"
#include "weir/signal/channel_matrix.h"

namespace weir::signal {

/// Outputs of a panel on a device, or `kLanePadding`.
inline constexpr std::int64_t kWidePanel = 128;

/// The same product on a device, with the CPU's bits where it has fused multiply-adds.
std::unique_ptr<op::DeviceStep> channel_matrix_on(const op::DevicePlace& place,
                                                  const PackedMatrix& matrix);
std::size_t channel_matrix_device_bytes(const PackedMatrix& matrix) noexcept;

}  // namespace weir::signal
