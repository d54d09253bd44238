#include "weir/signal/pointwise_device.h"

#include "weir/op/device_fours.h"

namespace weir::signal {
namespace {
class PointwiseOnDevice final : public op::DeviceStep {
 public:
  PointwiseOnDevice(const op::DevicePlace& place, const op::StartPoint& at,
                    const PointwiseKernel& kernel)
      : queue_(place.queue),
        kernel_(place.device.kernel(kernel.source, kernel.entry)),
        choices_(kernel.choices) {
    for (const auto& table : kernel.tables) {
      const auto first = table.begin() + static_cast<std::ptrdiff_t>(at.first_channel);
      tables_.push_back(place.device.allocate(
          place.queue,
          std::vector<float>(first, first + static_cast<std::ptrdiff_t>(at.channel_count))));
    }
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const op::FourTiles tiles(in.channels, in.frames, kRowsEach);
    std::vector<compute::Arg> args{in.buffer, in.first, in.stride, to.buffer, to.first, to.stride};
    args.insert(args.end(), tables_.begin(), tables_.end());
    args.insert(args.end(), {in.frames, static_cast<std::int32_t>(in.channels)});
    args.insert(args.end(), choices_.begin(), choices_.end());
    args.insert(args.end(), {op::in_fours(in, to), tiles.across, tiles.tile_rows});
    queue_.launch(kernel_, tiles.range, args);
    out[0].frames = in.frames;
  }

 private:
  static constexpr std::int64_t kRowsEach = 2;  // Measured on an H200: 1 and 4 are no better.

  compute::Queue& queue_;
  compute::Kernel kernel_;
  std::vector<compute::Buffer> tables_;
  std::vector<std::int32_t> choices_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> pointwise_on(const op::DevicePlace& place, const op::StartPoint& at,
                                             const PointwiseKernel& kernel) {
  return std::make_unique<PointwiseOnDevice>(place, at, kernel);
}

std::size_t pointwise_bytes(std::int64_t channels, std::size_t tables) noexcept {
  return static_cast<std::size_t>(channels) * tables * sizeof(float);
}

}  // namespace weir::signal
