#include "weir/op/device_fours.h"
#include "weir/signal/ops/detrend/detrend_cl.h"
#include "weir/signal/ops/detrend/detrend_internal.h"

namespace weir::signal {
namespace {
std::vector<double> table_of(const Trend& trend, const op::StartPoint& at) {
  std::vector<double> table;
  for (const auto* part : {&trend.level, &trend.slope}) {
    const auto first = part->begin() + static_cast<std::ptrdiff_t>(at.first_channel);
    table.insert(table.end(), first, first + static_cast<std::ptrdiff_t>(at.channel_count));
  }
  return table;
}

class DetrendOnDevice final : public op::DeviceStep {
 public:
  DetrendOnDevice(const op::DevicePlace& place, const op::StartPoint& at, const Trend& trend)
      : queue_(place.queue),
        kernel_(place.device.kernel(kernels::kDetrend, "detrend_rows", compute::Real::float64)),
        trend_(place.device.allocate(place.queue, table_of(trend, at))),
        middle_(trend.middle),
        next_frame_(at.first_frame) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const op::FourTiles tiles(in.channels, in.frames, kRowsEach);
    queue_.launch(kernel_, tiles.range,
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, trend_, middle_,
                   next_frame_, in.frames, static_cast<std::int32_t>(in.channels),
                   op::in_fours(in, to), tiles.across, tiles.tile_rows});
    next_frame_ += in.frames;
    out[0].frames = in.frames;
  }
  void hand_over(op::State& to) const override {
    static_cast<DetrendState&>(to).next_frame = next_frame_;
  }
  void take_over(const op::State& from) override {
    next_frame_ = static_cast<const DetrendState&>(from).next_frame;
  }

 private:
  static constexpr std::int64_t kRowsEach = 2;

  compute::Queue& queue_;
  compute::Kernel kernel_;
  compute::Buffer trend_;
  double middle_;
  std::int64_t next_frame_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> detrend_on(const op::DevicePlace& place, const op::StartPoint& at,
                                           const Trend& trend) {
  return std::make_unique<DetrendOnDevice>(place, at, trend);
}

}  // namespace weir::signal
