#include <algorithm>
#include <numeric>

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
        keep_(place.device.kernel(kernels::kHampel, "hampel_keep")),
        width_(width),
        channels_(channels),
        factor_(factor),
        past_(place.device.allocate(static_cast<std::size_t>(width * channels) * sizeof(float))),
        replaced_(place.device.allocate(static_cast<std::size_t>(channels) * sizeof(float))) {
    queue_.clear(past_);
    queue_.clear(replaced_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    emit(in, std::max(emitted_, fed_ + in.frames - width_ / 2), 0, out[0]);
    if (in.frames > 0) {
      queue_.launch(
          keep_, compute::over_rows(channels_, std::min(in.frames, width_)),
          {in.buffer, in.first, in.stride, past_, narrow(channels_), width_, fed_, in.frames});
    }
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    op::DeviceBlock none;
    none.buffer = past_;
    emit(none, std::min(fed_, emitted_ + out[0].room.frames), 1, out[0]);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<HampelState&>(to);
    state.fed = fed_;
    state.emitted = emitted_;
    const auto replaced = queue_.download<std::int32_t>(replaced_);
    state.replaced = std::accumulate(replaced.begin(), replaced.end(), replaced_before_);
    const auto past = queue_.download<float>(past_);
    for (std::int64_t row = 0; row < width_; ++row) {
      std::copy_n(past.data() + row * channels_, channels_, state.past.as<float>().row(row));
    }
    state.rebuild_from_past();
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const HampelState&>(from);
    fed_ = state.fed;
    emitted_ = state.emitted;
    replaced_before_ = state.replaced;
    std::vector<float> past;
    for (std::int64_t row = 0; row < width_; ++row) {
      const float* first = state.past.as<float>().row(row);
      past.insert(past.end(), first, first + channels_);
    }
    queue_.upload(past_, past);
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
    queue_.launch(rows_,
                  {.items = {channels_, (out.frames + kInTurn - 1) / kInTurn},
                   .group = {kItems, 1},
                   .local_bytes = static_cast<std::size_t>(kItems * width_) * sizeof(float)},
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_, replaced_,
                   narrow(channels_), narrow(width_), factor_, passes, fed_, emitted_, end});
    emitted_ = end;
  }

  compute::Queue& queue_;
  compute::Kernel rows_;
  compute::Kernel narrow_rows_;
  compute::Kernel keep_;
  std::int64_t width_;
  std::int64_t channels_;
  float factor_;
  std::int64_t fed_ = 0;
  std::int64_t emitted_ = 0;
  std::int64_t replaced_before_ = 0;  ///< On the CPU.
  compute::Buffer past_;
  compute::Buffer replaced_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> hampel_on(const op::DevicePlace& place, std::int64_t width,
                                          float factor, std::int64_t channels) {
  return std::make_unique<HampelOnDevice>(place, width, factor, channels);
}

}  // namespace weir::signal
