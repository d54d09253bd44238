#include <algorithm>
#include <numeric>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/hampel/hampel_cl.h"
#include "weir/signal/ops/hampel/hampel_internal.h"

namespace weir::signal {
namespace {
class HampelOnDevice final : public op::DeviceStep {
 public:
  HampelOnDevice(const op::DevicePlace& place, std::int64_t width, float factor,
                 std::int64_t channels)
      : queue_(place.queue),
        rows_(place.device.kernel(kernels::kHampel, "hampel_rows")),
        narrow_rows_(width <= kMostNarrow ? place.device.kernel(kernels::kHampel, "hampel_narrow",
                                                                {{"WIDTH", width}})
                                          : rows_),
        width_(width),
        channels_(channels),
        factor_(factor),
        past_(place, width, channels),
        replaced_(place.device.allocate(static_cast<std::size_t>(channels) * sizeof(float))) {
    queue_.clear(replaced_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    emit(in, std::max(emitted_, fed_ + in.frames - width_ / 2), 0, out[0]);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    emit(past_.instead_of_block(), std::min(fed_, emitted_ + out[0].room.frames), 1, out[0]);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<HampelState&>(to);
    state.fed = fed_;
    state.emitted = emitted_;
    const auto replaced = queue_.download<std::int32_t>(replaced_);
    state.replaced = std::accumulate(replaced.begin(), replaced.end(), replaced_before_);
    past_.hand_over(state.past.as<float>());
    state.rebuild_from_past();
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const HampelState&>(from);
    fed_ = state.fed;
    emitted_ = state.emitted;
    replaced_before_ = state.replaced;
    past_.take_over(state.past.as<float>());
  }

 private:
  static constexpr std::int64_t kInTurn = 64;  ///< Outputs of one item, as the kernel has them.
  static constexpr std::int64_t kItems = 32;   ///< Of a group.
  /// Widest window that stands in an item's registers.
  static constexpr std::int64_t kMostNarrow = 33;

  static std::int32_t narrow(std::int64_t value) noexcept {
    return static_cast<std::int32_t>(value);
  }

  void emit(const op::DeviceBlock& in, std::int64_t end, std::int32_t passes,
            op::DeviceEmission& out) {
    out.frames = end - emitted_;
    if (out.frames == 0) {
      return;
    }
    const op::DeviceBlock& to = out.room;
    const std::int64_t turns = (out.frames + kInTurn - 1) / kInTurn;
    if (passes == 0 && width_ <= kMostNarrow) {
      queue_.launch(narrow_rows_, {.items = {channels_, turns}, .group = {kItems, 1}},
                    {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(),
                     replaced_, narrow(channels_), narrow(width_), factor_, fed_, emitted_, end});
      emitted_ = end;
      return;
    }
    queue_.launch(
        rows_,
        {.items = {channels_, turns},
         .group = {kItems, 1},
         .local_bytes = static_cast<std::size_t>(kItems * width_) * sizeof(float)},
        {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(), replaced_,
         narrow(channels_), narrow(width_), factor_, passes, fed_, emitted_, end});
    emitted_ = end;
  }

  compute::Queue& queue_;
  compute::Kernel rows_;
  compute::Kernel narrow_rows_;
  std::int64_t width_;
  std::int64_t channels_;
  float factor_;
  std::int64_t fed_ = 0;
  std::int64_t emitted_ = 0;
  std::int64_t replaced_before_ = 0;  ///< On the CPU.
  KeptRows past_;
  compute::Buffer replaced_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> hampel_on(const op::DevicePlace& place, std::int64_t width,
                                          float factor, std::int64_t channels) {
  return std::make_unique<HampelOnDevice>(place, width, factor, channels);
}

}  // namespace weir::signal
