#include <algorithm>
#include <limits>

#include "weir/op/device_step.h"
#include "weir/signal/ops/peaks/peaks_cl.h"
#include "weir/signal/ops/peaks/peaks_internal.h"

namespace weir::signal {
namespace {
class PeaksOnDevice final : public op::DeviceStep {
 public:
  PeaksOnDevice(const op::DevicePlace& place, const PeakPlan& plan, const op::StartPoint& at)
      : queue_(place.queue),
        begin_(place.device.kernel(kernels::kPeaks, "peaks_begin")),
        find_(place.device.kernel(kernels::kPeaks, "peaks_find")),
        keep_(place.device.kernel(kernels::kPeaks, "peaks_keep")),
        channels_(static_cast<std::int32_t>(at.channel_count)),
        sides_(plan.rules.pos && plan.rules.neg ? 2 : 1),
        first_side_(plan.rules.pos ? 1 : -1),
        fed_(at.first_frame) {
    std::vector<float> table;
    for (const auto* values : {&plan.sign, &plan.least}) {
      const auto first = values->begin() + static_cast<std::ptrdiff_t>(at.first_channel);
      table.insert(table.end(), first, first + channels_);
    }
    levels_ = place.device.allocate(place.queue, table);
    const auto count = static_cast<std::size_t>(channels_);
    previous_ = place.device.allocate(
        place.queue, std::vector<float>(count, std::numeric_limits<float>::quiet_NaN()));
    const auto lanes = count * static_cast<std::size_t>(sides_);
    starts_ = place.device.allocate(place.queue, std::vector<std::int64_t>(lanes, -1));
    befores_ = place.device.allocate(place.queue, std::vector<float>(lanes));
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceEvents& events = out[0].events;
    queue_.launch(begin_, {.items = {1, 1}}, {events.rows});
    if (in.frames == 0) {
      return;
    }
    queue_.launch(find_, {.items = {channels_, (in.frames + 31) / 32}},
                  {in.buffer, in.first, in.stride, levels_, previous_, starts_, events.rows,
                   events.capacity, fed_, in.frames, channels_, sides_, first_side_});
    queue_.launch(keep_, {.items = {channels_, 1}},
                  {in.buffer, in.first, in.stride, levels_, previous_, starts_, befores_, fed_,
                   in.frames, channels_, sides_, first_side_});
    fed_ += in.frames;
  }

  bool finish(std::span<op::DeviceEmission> out) override {
    queue_.launch(begin_, {.items = {1, 1}}, {out[0].events.rows});
    return true;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<PeakState&>(to);
    state.next_frame = fed_;
    const auto previous = queue_.download<float>(previous_);
    std::copy(previous.begin(), previous.end(), state.previous.as<float>().row(0));
    const auto starts = queue_.download<std::int64_t>(starts_);
    const auto befores = queue_.download<float>(befores_);
    const auto levels = queue_.download<float>(levels_);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t c = i % previous.size();
      const std::int32_t side = i < previous.size() ? first_side_ : -first_side_;
      PeakLane& lane = (side > 0 ? state.above : state.below)[c];
      lane.start = starts[i];
      lane.before = befores[i];
      lane.value = previous[c] * levels[c] * static_cast<float>(side);
    }
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const PeakState&>(from);
    fed_ = state.next_frame;
    queue_.upload(previous_, std::span<const float>(state.previous.as<float>().row(0),
                                                    static_cast<std::size_t>(channels_)));
    std::vector<std::int64_t> starts;
    std::vector<float> befores;
    for (std::int32_t side = 0; side < sides_; ++side) {
      const auto& lanes = (side == 0 ? first_side_ : -first_side_) > 0 ? state.above : state.below;
      for (const PeakLane& lane : lanes) {
        starts.push_back(lane.start);
        befores.push_back(lane.before);
      }
    }
    queue_.upload(starts_, std::span<const std::int64_t>(starts));
    queue_.upload(befores_, std::span<const float>(befores));
  }

 private:
  compute::Queue& queue_;
  compute::Kernel begin_;
  compute::Kernel find_;
  compute::Kernel keep_;
  std::int32_t channels_;
  std::int32_t sides_;
  std::int32_t first_side_;
  std::int64_t fed_;
  compute::Buffer levels_;
  compute::Buffer previous_;
  compute::Buffer starts_;
  compute::Buffer befores_;
};
}  // namespace

std::size_t peaks_device_bytes(const PeakRules& rules, std::int64_t channels) noexcept {
  const std::size_t sides = rules.pos && rules.neg ? 2 : 1;
  return static_cast<std::size_t>(channels) *
         (3 * sizeof(float) + sides * (sizeof(std::int64_t) + sizeof(float)));
}

std::unique_ptr<op::DeviceStep> peaks_on(const op::DevicePlace& place, const PeakPlan& plan,
                                         const op::StartPoint& at) {
  return std::make_unique<PeaksOnDevice>(place, plan, at);
}

}  // namespace weir::signal
