#include <algorithm>

#include "weir/signal/ops/iir/iir_cl.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
namespace {

template <class T>
constexpr compute::Real kReal =
    sizeof(T) == sizeof(double) ? compute::Real::float64 : compute::Real::float32;

template <class T>
class ForwardOnDevice final : public op::DeviceStep {
 public:
  ForwardOnDevice(const op::DevicePlace& place, const std::vector<T>& coefficients,
                  std::span<const DeltaState> steady, std::int64_t channels)
      : queue_(place.queue),
        forward_(place.device.kernel(kernels::kIir, "iir_forward", kReal<T>)),
        settle_(place.device.kernel(kernels::kIir, "iir_settle", kReal<T>)),
        sections_(static_cast<std::int32_t>(coefficients.size() / 5)),
        channels_(static_cast<std::int32_t>(channels)),
        settled_(steady.empty()),
        coefficients_(place.device.allocate(place.queue, coefficients)),
        state_(place.device.allocate(coefficients.size() / 5 * 2 *
                                     static_cast<std::size_t>(channels) * sizeof(T))) {
    queue_.clear(state_);
    std::vector<T> levels;
    for (const DeltaState& section : steady) {
      levels.push_back(static_cast<T>(section.s1));
      levels.push_back(static_cast<T>(section.s2));
    }
    steady_ = place.device.allocate(place.queue, levels);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    out[0].frames = in.frames;
    if (in.frames == 0) {
      return;
    }
    const compute::Range each_channel{.items = {channels_, 1}};
    if (!settled_) {
      queue_.launch(settle_, each_channel,
                    {in.buffer, in.first, steady_, state_, channels_, sections_});
      settled_ = true;
    }
    queue_.launch(forward_, each_channel,
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, coefficients_,
                   state_, in.frames, channels_, sections_});
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<ForwardState<T>&>(to);
    state.settled = settled_;
    const auto values = queue_.template download<T>(state_);
    for (std::int32_t row = 0; row < 2 * sections_; ++row) {
      std::copy_n(values.data() + std::int64_t{row} * channels_, channels_,
                  state.cascade.data() + row * state.cascade.lanes());
    }
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const ForwardState<T>&>(from);
    settled_ = state.settled;
    std::vector<T> values;
    for (std::int32_t row = 0; row < 2 * sections_; ++row) {
      const T* first = state.cascade.data() + row * state.cascade.lanes();
      values.insert(values.end(), first, first + channels_);
    }
    queue_.upload(state_, values);
  }

 private:
  compute::Queue& queue_;
  compute::Kernel forward_;
  compute::Kernel settle_;
  std::int32_t sections_;
  std::int32_t channels_;
  bool settled_;
  compute::Buffer coefficients_;
  compute::Buffer state_;
  compute::Buffer steady_;
};

}  // namespace

template <class T>
std::unique_ptr<op::DeviceStep> forward_on(const op::DevicePlace& place,
                                           const std::vector<T>& coefficients,
                                           std::span<const DeltaState> steady,
                                           std::int64_t channels) {
  return std::make_unique<ForwardOnDevice<T>>(place, coefficients, steady, channels);
}
template std::unique_ptr<op::DeviceStep> forward_on(const op::DevicePlace&,
                                                    const std::vector<float>&,
                                                    std::span<const DeltaState>, std::int64_t);
template std::unique_ptr<op::DeviceStep> forward_on(const op::DevicePlace&,
                                                    const std::vector<double>&,
                                                    std::span<const DeltaState>, std::int64_t);

}  // namespace weir::signal
