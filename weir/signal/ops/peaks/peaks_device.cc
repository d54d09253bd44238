#include "weir/op/device_step.h"
#include "weir/signal/ops/peaks/peaks_cl.h"
#include "weir/signal/ops/peaks/peaks_internal.h"
#include "weir/signal/ops/peaks/peaks_tops_internal.h"

namespace weir::signal {
namespace {
class PeaksOnDevice final : public op::DeviceStep {
 public:
  PeaksOnDevice(const op::DevicePlace& place, const PeakPlan& plan, const op::StartPoint& at)
      : queue_(place.queue),
        begin_(place.device.kernel(kernels::kPeaks, "peaks_begin")),
        find_(place.device.kernel(kernels::kPeaks, "peaks_find")),
        tops_(place, plan, at) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceEvents& events = out[0].events;
    queue_.launch(begin_, {.items = {1, 1}}, {events.rows});
    if (in.frames == 0) {
      return;
    }
    queue_.launch(find_, {.items = {tops_.channels(), (in.frames + 31) / 32}},
                  {in.buffer, in.first, in.stride, tops_.levels(), tops_.previous(), tops_.starts(),
                   events.rows, events.capacity, tops_.fed(), in.frames, tops_.channels(),
                   tops_.sides(), tops_.first_side()});
    tops_.keep(in);
  }

  bool finish(std::span<op::DeviceEmission> out) override {
    queue_.launch(begin_, {.items = {1, 1}}, {out[0].events.rows});
    return true;
  }

  void hand_over(op::State& to) const override { tops_.hand_over(static_cast<PeakState&>(to)); }
  void take_over(const op::State& from) override {
    tops_.take_over(static_cast<const PeakState&>(from));
  }

 private:
  compute::Queue& queue_;
  compute::Kernel begin_;
  compute::Kernel find_;
  PeakTopsOnDevice tops_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> peaks_on(const op::DevicePlace& place, const PeakPlan& plan,
                                         const op::StartPoint& at) {
  if (plan.rules.needs_float64()) {
    return peaks_by_rules_on(place, plan, at);
  }
  return std::make_unique<PeaksOnDevice>(place, plan, at);
}

std::size_t peaks_device_bytes(const PeakPlan& plan, std::int64_t channels,
                               std::int64_t frames) noexcept {
  return PeakTopsOnDevice::bytes(plan.rules, channels) +
         (plan.rules.needs_float64() ? peaks_by_rules_bytes(plan, channels, frames) : 0);
}

}  // namespace weir::signal
