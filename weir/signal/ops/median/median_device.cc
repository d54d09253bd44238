#include <algorithm>

#include "weir/signal/ops/median/median_cl.h"
#include "weir/signal/ops/median/median_internal.h"

namespace weir::signal {
namespace {
class MedianOnDevice final : public op::DeviceStep {
 public:
  MedianOnDevice(const op::DevicePlace& place, std::int64_t width, std::int64_t channels)
      : queue_(place.queue),
        rows_(place.device.kernel(kernels::kMedian, "median_rows")),
        keep_(place.device.kernel(kernels::kMedian, "median_keep")),
        width_(width),
        channels_(channels),
        past_(place.device.allocate(static_cast<std::size_t>(width * channels) * sizeof(float))) {
    queue_.clear(past_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const std::int64_t end = std::max(emitted_, fed_ + in.frames - width_ / 2);
    out[0].frames = emit(in, end, out[0].room);
    queue_.launch(keep_, range(std::min(in.frames, width_)),
                  {in.buffer, in.first, in.stride, past_, static_cast<std::int32_t>(channels_),
                   static_cast<std::int32_t>(width_), fed_, in.frames});
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    op::DeviceBlock none;
    none.buffer = past_;
    const op::DeviceBlock& room = out[0].room;
    out[0].frames = emit(none, std::min(fed_, emitted_ + room.frames), room);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<MedianState&>(to);
    state.fed = fed_;
    const auto past = queue_.download<float>(past_);
    for (std::int64_t row = 0; row < width_; ++row) {
      const float* from = past.data() + row * channels_;
      std::copy_n(from, channels_, state.past.as<float>().row(row));
    }
    state.rebuild_from_past();
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const MedianState&>(from);
    fed_ = state.fed;
    emitted_ = std::max<std::int64_t>(0, fed_ - width_ / 2);
    std::vector<float> past;
    for (std::int64_t row = 0; row < width_; ++row) {
      const float* first = state.past.as<float>().row(row);
      past.insert(past.end(), first, first + channels_);
    }
    queue_.upload(past_, past);
  }

 private:
  compute::Range range(std::int64_t frames) const { return {.items = {channels_, frames}}; }

  /// The outputs from `emitted_` to `end`, whose windows end in `in` or in the zeros after it.
  std::int64_t emit(const op::DeviceBlock& in, std::int64_t end, const op::DeviceBlock& out) {
    const std::int64_t outputs = end - emitted_;
    queue_.launch(rows_, range(outputs),
                  {in.buffer, in.first, in.stride, out.buffer, out.first, out.stride, past_,
                   static_cast<std::int32_t>(channels_), static_cast<std::int32_t>(width_), fed_,
                   in.frames, emitted_, outputs});
    emitted_ = end;
    return outputs;
  }

  compute::Queue& queue_;
  compute::Kernel rows_;
  compute::Kernel keep_;
  std::int64_t width_;
  std::int64_t channels_;
  std::int64_t fed_ = 0;      ///< Rows of the segment so far.
  std::int64_t emitted_ = 0;  ///< Rows put out so far.
  compute::Buffer past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> median_on(const op::DevicePlace& place, std::int64_t width,
                                          std::int64_t channels) {
  return std::make_unique<MedianOnDevice>(place, width, channels);
}

}  // namespace weir::signal
