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
    queue_.launch(kernel_, compute::over_rows(in.channels, in.frames),
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, signs_,
                   in.frames, static_cast<std::int32_t>(in.channels), half_wave_});
    out[0].frames = in.frames;
  }

 private:
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
