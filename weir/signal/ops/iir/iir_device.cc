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

  std::int64_t run(const op::DeviceBlock& in, const op::DeviceBlock& out) override {
    if (in.frames == 0) {
      return 0;
    }
    const compute::Range each_channel{.items = {channels_, 1}};
    if (!settled_) {
      queue_.launch(settle_, each_channel,
                    {in.buffer, in.first, steady_, state_, channels_, sections_});
      settled_ = true;
    }
    queue_.launch(forward_, each_channel,
                  {in.buffer, in.first, in.stride, out.buffer, out.first, out.stride, coefficients_,
                   state_, in.frames, channels_, sections_});
    return in.frames;
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
