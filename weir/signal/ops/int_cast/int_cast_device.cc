#include <numeric>

#include "weir/op/device_convert.h"
#include "weir/signal/ops/int_cast/int_cast_cl.h"
#include "weir/signal/ops/int_cast/int_cast_internal.h"

namespace weir::signal {
namespace {
class IntCastOnDevice final : public op::DeviceStep {
 public:
  IntCastOnDevice(const op::DevicePlace& place, const op::StartPoint& at,
                  const std::vector<float>& scale)
      : queue_(place.queue),
        convert_(place),
        add_(place.device.kernel(kernels::kIntCast, "int_cast_add")),
        channels_(at.channel_count) {
    const auto first = scale.begin() + static_cast<std::ptrdiff_t>(at.first_channel);
    scale_ = place.device.allocate(
        queue_, std::vector<float>(first, first + static_cast<std::ptrdiff_t>(channels_)));
    const auto count = static_cast<std::size_t>(channels_);
    clipped_ = place.device.allocate(queue_, std::vector<std::int32_t>(count));
    total_ = place.device.allocate(queue_, std::vector<std::int64_t>(count));
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    out[0].frames = in.frames;
    if (in.frames == 0) {
      return;
    }
    op::DeviceBlock room = out[0].room;
    room.frames = in.frames;
    convert_.to_int16(in, scale_, clipped_, room);
    queue_.launch(add_, {.items = {channels_, 1}},
                  {clipped_, total_, static_cast<std::int32_t>(channels_)});
  }

  void hand_over(op::State& to) const override {
    const auto total = queue_.download<std::int64_t>(total_);
    static_cast<IntCastState&>(to).clipped =
        std::accumulate(total.begin(), total.end(), std::int64_t{0});
  }
  void take_over(const op::State& from) override {
    std::vector<std::int64_t> total(static_cast<std::size_t>(channels_));
    total.front() = static_cast<const IntCastState&>(from).clipped;
    queue_.upload(total_, total);
  }

 private:
  compute::Queue& queue_;
  op::DeviceConvert convert_;
  compute::Kernel add_;
  std::int64_t channels_;
  compute::Buffer scale_;
  compute::Buffer clipped_;  ///< Of this block.
  compute::Buffer total_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> int_cast_on(const op::DevicePlace& place, const op::StartPoint& at,
                                            const std::vector<float>& scale) {
  return std::make_unique<IntCastOnDevice>(place, at, scale);
}

std::size_t int_cast_device_bytes(std::int64_t channels) noexcept {
  return static_cast<std::size_t>(channels) *
         (sizeof(float) + sizeof(std::int32_t) + sizeof(std::int64_t));
}

}  // namespace weir::signal
