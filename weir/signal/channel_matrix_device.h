#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/op/device_step.h"
#include "weir/signal/channel_matrix.h"

namespace weir::signal {

/// A matrix as one of the two kernels of channel_matrix.cl wants it.
struct DeviceMatrix {
  bool by_terms = false;  ///< Few terms an output; else inputs that many outputs share.
  std::int64_t outputs = 0;
  std::vector<std::int32_t> panels;  ///< First entry and entries of each.
  std::vector<std::int32_t> columns;
  std::vector<float> weights;
  /// Of device memory: enough also for what the same terms need when some weights are 0.
  std::size_t claim_bytes = 0;

  std::size_t bytes() const noexcept {
    return (panels.size() + columns.size() + weights.size()) * sizeof(float);
  }
};

DeviceMatrix pack_for_device(const ChannelMatrix& matrix, const std::vector<Channel>& in);

/// The same product on a device, with the CPU's bits where the CPU has fused multiply-adds.
std::unique_ptr<op::DeviceStep> channel_matrix_on(const op::DevicePlace& place,
                                                  const DeviceMatrix& matrix);

}  // namespace weir::signal
