#include "weir/signal/channel_matrix_device.h"

#include <algorithm>

#include "weir/signal/channel_matrix_cl.h"

namespace weir::signal {
namespace {
// As in channel_matrix.cl.
constexpr std::int64_t kFrames = 128;
constexpr std::int64_t kDepth = 16;
constexpr std::int64_t kSampleRow = 132;

std::vector<std::int32_t> panel_table(const PackedMatrix& matrix) {
  std::vector<std::int32_t> table;
  for (const MatrixPanel& panel : matrix.panels) {
    table.push_back(static_cast<std::int32_t>(panel.first));
    table.push_back(static_cast<std::int32_t>(panel.count));
  }
  return table;
}

/// A matrix of zeros has no entries, and no device has buffers of 0 bytes.
template <class T>
std::vector<T> at_least_one(std::vector<T> values) {
  values.resize(std::max<std::size_t>(values.size(), 1));
  return values;
}

class MatrixOnDevice final : public op::DeviceStep {
 public:
  MatrixOnDevice(const op::DevicePlace& place, const PackedMatrix& matrix)
      : queue_(place.queue),
        outputs_(static_cast<std::int32_t>(matrix.outputs)),
        width_(matrix.width),
        panels_(static_cast<std::int32_t>(matrix.panels.size())),
        kernel_(place.device.kernel(kernels::kChannelMatrix, matrix.width == kWidePanel
                                                                 ? "channel_matrix_wide"
                                                                 : "channel_matrix_narrow")),
        table_(place.device.allocate(place.queue, panel_table(matrix))),
        columns_(place.device.allocate(place.queue, at_least_one(matrix.columns))),
        weights_(place.device.allocate(place.queue, at_least_one(matrix.weights))) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    out[0].frames = in.frames;
    const std::int64_t items = width_ == kWidePanel ? 256 : 128;
    const std::int64_t tiles = (in.frames + kFrames - 1) / kFrames;
    const auto aligned = static_cast<std::int32_t>((to.first | to.stride) % 4 == 0);
    queue_.launch(
        kernel_,
        {.items = {tiles * panels_ * items, 1},
         .group = {items, 1},
         .local_bytes = static_cast<std::size_t>(kDepth * (kSampleRow + width_)) * sizeof(float)},
        {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, table_, columns_, weights_,
         in.frames, outputs_, panels_, aligned});
  }

 private:
  compute::Queue& queue_;
  std::int32_t outputs_;
  std::int64_t width_;
  std::int32_t panels_;
  compute::Kernel kernel_;
  compute::Buffer table_;
  compute::Buffer columns_;
  compute::Buffer weights_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> channel_matrix_on(const op::DevicePlace& place,
                                                  const PackedMatrix& matrix) {
  return std::make_unique<MatrixOnDevice>(place, matrix);
}

std::size_t channel_matrix_device_bytes(const PackedMatrix& matrix) noexcept {
  const std::size_t numbers = 2 * matrix.panels.size() +
                              std::max<std::size_t>(matrix.columns.size(), 1) +
                              std::max<std::size_t>(matrix.weights.size(), 1);
  return numbers * sizeof(float);
}

}  // namespace weir::signal
