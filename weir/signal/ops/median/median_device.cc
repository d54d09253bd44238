#include <algorithm>

#include "weir/op/tuned_launch.h"
#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/median/median_cl.h"
#include "weir/signal/ops/median/median_internal.h"

namespace weir::signal {
namespace {
class MedianOnDevice final : public op::DeviceStep {
 public:
  MedianOnDevice(const op::DevicePlace& place, std::int64_t width, std::int64_t channels)
      : queue_(place.queue),
        rows_(place,
              kernel(place.device, by_network(width) ? "median_rows" : "median_rows_wide", width),
              kUsualGroupRows),
        width_(width),
        channels_(channels),
        past_(place, width, channels) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const std::int64_t end = std::max(emitted_, fed_ + in.frames - width_ / 2);
    out[0].frames = emit(in, end, out[0].room);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& room = out[0].room;
    out[0].frames = emit(past_.instead_of_block(), std::min(fed_, emitted_ + room.frames), room);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<MedianState&>(to);
    state.fed = fed_;
    past_.hand_over(state.past.as<float>());
    state.rebuild_from_past();
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const MedianState&>(from);
    fed_ = state.fed;
    emitted_ = std::max<std::int64_t>(0, fed_ - width_ / 2);
    past_.take_over(state.past.as<float>());
  }

 private:
  /// Outputs of one item, as the kernels have them.
  static constexpr std::int64_t kTogether = 16;
  static constexpr std::int64_t kInTurn = 32;
  /// Items side by side share their rows in the first cache. As measured on an H200.
  static constexpr std::int64_t kUsualGroupRows = 4;

  static std::int32_t narrow(std::int64_t value) noexcept {
    return static_cast<std::int32_t>(value);
  }
  compute::Range range(std::int64_t frames) const { return {.items = {channels_, frames}}; }

  static bool by_network(std::int64_t width) noexcept {
    return width > 1 && width <= kWidestMedianNetwork;
  }
  /// Of one build. Where there is no network its constant says nothing, but without it the loops of
  /// the networks take long to compile.
  static compute::Kernel kernel(compute::Device& device, const char* entry, std::int64_t width) {
    return device.kernel(kernels::kMedian, entry, {{"REACH", by_network(width) ? width / 2 : 1}});
  }

  /// The outputs from `emitted_` to `end`, whose windows end in `in` or in the zeros after it.
  std::int64_t emit(const op::DeviceBlock& in, std::int64_t end, const op::DeviceBlock& out) {
    const std::int64_t outputs = end - emitted_;
    const std::int64_t reach = width_ / 2;
    std::vector<compute::Arg> args{in.buffer,      in.first,   in.stride,      out.buffer,
                                   out.first,      out.stride, past_.buffer(), narrow(channels_),
                                   narrow(width_), fed_,       in.frames,      emitted_,
                                   outputs};
    std::int64_t items = (outputs + kInTurn - 1) / kInTurn;
    if (by_network(width_)) {
      // Windows that lie in the block, but for the last few.
      const std::int64_t head = std::clamp<std::int64_t>(fed_ + reach - emitted_, 0, outputs);
      const std::int64_t last = std::min(outputs, fed_ + in.frames - reach - emitted_);
      const std::int64_t chunks = std::max<std::int64_t>(0, last - head) / kTogether;
      items = outputs - chunks * (kTogether - 1);
      args.insert(args.end(), {head, chunks, narrow(reach)});
    }
    rows_({channels_, items}, args);
    emitted_ = end;
    return outputs;
  }

  compute::Queue& queue_;
  op::TunedLaunch rows_;
  std::int64_t width_;
  std::int64_t channels_;
  std::int64_t fed_ = 0;      ///< Rows of the segment so far.
  std::int64_t emitted_ = 0;  ///< Rows put out so far.
  KeptRows past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> median_on(const op::DevicePlace& place, std::int64_t width,
                                          std::int64_t channels) {
  return std::make_unique<MedianOnDevice>(place, width, channels);
}

}  // namespace weir::signal
