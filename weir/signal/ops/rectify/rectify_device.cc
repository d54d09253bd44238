#include "weir/op/device_fours.h"
#include "weir/signal/ops/rectify/rectify_cl.h"
#include "weir/signal/ops/rectify/rectify_internal.h"

namespace weir::signal {
namespace {
class RectifyOnDevice final : public op::DeviceStep {
 public:
  RectifyOnDevice(const op::DevicePlace& place, RectifyMode mode, const std::vector<float>& signs)
      : queue_(place.queue),
        kernel_(place.device.kernel(kernels::kRectify, "rectify")),
        signs_(place.device.allocate(place.queue, signs)),
        half_wave_(mode == RectifyMode::half ? 1 : 0) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const op::FourTiles tiles(in.channels, in.frames, kRowsEach);
    queue_.launch(kernel_, tiles.range,
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, signs_,
                   in.frames, static_cast<std::int32_t>(in.channels), half_wave_,
                   op::in_fours(in, to), tiles.across, tiles.tile_rows});
    out[0].frames = in.frames;
  }

 private:
  static constexpr std::int64_t kRowsEach = 2;  // Measured on an H200: 1 and 4 are no better.

  compute::Queue& queue_;
  compute::Kernel kernel_;
  compute::Buffer signs_;
  std::int32_t half_wave_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> rectify_on(const op::DevicePlace& place, RectifyMode mode,
                                           const std::vector<float>& signs) {
  return std::make_unique<RectifyOnDevice>(place, mode, signs);
}

}  // namespace weir::signal
