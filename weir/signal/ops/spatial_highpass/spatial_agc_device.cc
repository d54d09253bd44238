#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/spatial_highpass/spatial_agc_cl.h"
#include "weir/signal/ops/spatial_highpass/spatial_agc_internal.h"

namespace weir::signal {
namespace {
std::size_t table_bytes(std::int64_t rows, std::int64_t channels) noexcept {
  return static_cast<std::size_t>(rows * channels) * sizeof(float);
}

class SpatialAgcOnDevice final : public op::DeviceStep {
 public:
  SpatialAgcOnDevice(const op::DevicePlace& place, const SpatialAgc& agc, const op::StartPoint& at)
      : queue_(place.queue),
        loud_(place.device.kernel(kernels::kSpatialAgc, "agc_loud")),
        level_(place.device.kernel(kernels::kSpatialAgc, "agc_level")),
        apply_(place.device.kernel(kernels::kSpatialAgc, "agc_apply")),
        channels_(at.channel_count),
        fed_(at.first_frame),
        emitted_(at.first_frame),
        amplitude_(agc.amplitude.device(place, at)),
        product_(agc.product.device(place, at)),
        controlled_(place.device.allocate(place.queue, agc.controlled)),
        past_(place, agc.waiting_rows, at.channel_count),
        louds_(table(place, place.max_frames)),
        gains_(table(place, agc.amplitude.max_output(place.max_frames))),
        levels_(table(place, agc.amplitude.max_output(place.max_frames))) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    op::DeviceBlock loud = louds_;
    loud.frames = in.frames;
    if (in.frames > 0) {
      queue_.launch(loud_, compute::over_rows(channels_, in.frames),
                    {in.buffer, in.first, in.stride, loud.buffer, narrow(), in.frames});
    }
    op::DeviceEmission gain{gains_, 0, {}};
    amplitude_->run(loud, {&gain, 1});
    emit(in, fed_, gain.frames, out[0]);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }

  bool finish(std::span<op::DeviceEmission> out) override {
    op::DeviceEmission gain{gains_, 0, {}};
    gain.room.frames = std::min(gains_.frames, out[0].room.frames);
    const bool done = amplitude_->finish({&gain, 1});
    emit(past_.instead_of_block(), fed_, gain.frames, out[0]);
    return done;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<SpatialAgcState&>(to);
    amplitude_->hand_over(*state.amplitude);
    state.fed = fed_;
    state.emitted = emitted_;
    const auto rows = queue_.download<float>(past_.buffer());
    for (std::int64_t frame = emitted_; frame < fed_; ++frame) {
      std::copy_n(rows.data() + frame % past_.rows() * channels_, channels_,
                  state.past.as<float>().row(frame % state.past.frames()));
    }
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const SpatialAgcState&>(from);
    amplitude_->take_over(*state.amplitude);
    fed_ = state.fed;
    emitted_ = state.emitted;
    std::vector<float> rows(static_cast<std::size_t>(past_.rows() * channels_));
    for (std::int64_t frame = emitted_; frame < fed_; ++frame) {
      std::copy_n(state.past.as<float>().row(frame % state.past.frames()), channels_,
                  rows.data() + frame % past_.rows() * channels_);
    }
    queue_.upload(past_.buffer(), rows);
  }

 private:
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  op::DeviceBlock table(const op::DevicePlace& place, std::int64_t rows) const {
    op::DeviceBlock block;
    block.frames = rows;
    block.channels = block.stride = channels_;
    block.buffer = place.device.allocate(std::max(sizeof(float), table_bytes(rows, channels_)));
    return block;
  }

  /// The next `count` rows, whose gains are known; `in` holds those from frame `fed` on.
  void emit(const op::DeviceBlock& in, std::int64_t fed, std::int64_t count,
            op::DeviceEmission& out) {
    out.frames = count;
    if (count == 0) {
      return;
    }
    const compute::Range range = compute::over_rows(channels_, count);
    queue_.launch(level_, range,
                  {in.buffer, in.first, in.stride, past_.buffer(), controlled_, gains_.buffer,
                   levels_.buffer, narrow(), past_.rows(), fed, emitted_, count});
    op::DeviceBlock level = levels_;
    level.frames = count;
    op::DeviceEmission made{out.room, 0, {}};
    product_->run(level, {&made, 1});
    queue_.launch(
        apply_, range,
        {gains_.buffer, out.room.buffer, out.room.first, out.room.stride, narrow(), count});
    emitted_ += count;
  }

  compute::Queue& queue_;
  compute::Kernel loud_;
  compute::Kernel level_;
  compute::Kernel apply_;
  std::int64_t channels_;
  std::int64_t fed_;
  std::int64_t emitted_;
  std::unique_ptr<op::DeviceStep> amplitude_;
  std::unique_ptr<op::DeviceStep> product_;
  compute::Buffer controlled_;
  KeptRows past_;
  op::DeviceBlock louds_;
  op::DeviceBlock gains_;
  op::DeviceBlock levels_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> spatial_agc_on(const op::DevicePlace& place, const SpatialAgc& agc,
                                               const op::StartPoint& at) {
  return std::make_unique<SpatialAgcOnDevice>(place, agc, at);
}

std::size_t spatial_agc_device_bytes(const SpatialAgc& agc, std::int64_t channels,
                                     std::int64_t frames) noexcept {
  constexpr std::size_t kNothing = 3 * sizeof(float);
  return agc.amplitude.device_bytes(channels, frames) + agc.product.device_bytes(channels, frames) +
         static_cast<std::size_t>(channels) * sizeof(std::int32_t) +
         KeptRows::bytes_for(agc.waiting_rows, channels) + table_bytes(frames, channels) +
         2 * table_bytes(agc.amplitude.max_output(frames), channels) + kNothing;
}

}  // namespace weir::signal
