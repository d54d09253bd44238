#include "weir/op/device_fours.h"
#include "weir/signal/ops/square/square_cl.h"
#include "weir/signal/ops/square/square_internal.h"

namespace weir::signal {
namespace {
class SquareOnDevice final : public op::DeviceStep {
 public:
  explicit SquareOnDevice(const op::DevicePlace& place)
      : queue_(place.queue), kernel_(place.device.kernel(kernels::kSquare, "square")) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const op::FourTiles tiles(in.channels, in.frames, kRowsEach);
    queue_.launch(kernel_, tiles.range,
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, in.frames,
                   static_cast<std::int32_t>(in.channels), op::in_fours(in, to), tiles.across,
                   tiles.tile_rows});
    out[0].frames = in.frames;
  }

 private:
  static constexpr std::int64_t kRowsEach = 2;  // Measured on an H200: 1 and 4 are no better.

  compute::Queue& queue_;
  compute::Kernel kernel_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> square_on(const op::DevicePlace& place) {
  return std::make_unique<SquareOnDevice>(place);
}

}  // namespace weir::signal
