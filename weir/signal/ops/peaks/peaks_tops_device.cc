#include <algorithm>
#include <limits>

#include "weir/signal/ops/peaks/peaks_cl.h"
#include "weir/signal/ops/peaks/peaks_tops_internal.h"

namespace weir::signal {

PeakTopsOnDevice::PeakTopsOnDevice(const op::DevicePlace& place, const PeakPlan& plan,
                                   const op::StartPoint& at)
    : queue_(place.queue),
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

std::size_t PeakTopsOnDevice::bytes(const PeakRules& rules, std::int64_t channels) noexcept {
  const std::size_t sides = rules.pos && rules.neg ? 2 : 1;
  return static_cast<std::size_t>(channels) *
         (3 * sizeof(float) + sides * (sizeof(std::int64_t) + sizeof(float)));
}

void PeakTopsOnDevice::keep(const op::DeviceBlock& in) {
  queue_.launch(keep_, {.items = {channels_, 1}},
                {in.buffer, in.first, in.stride, levels_, previous_, starts_, befores_, fed_,
                 in.frames, channels_, sides_, first_side_});
  fed_ += in.frames;
}

void PeakTopsOnDevice::hand_over(PeakState& to) const {
  to.next_frame = fed_;
  const auto previous = queue_.download<float>(previous_);
  std::copy(previous.begin(), previous.end(), to.previous.as<float>().row(0));
  const auto starts = queue_.download<std::int64_t>(starts_);
  const auto befores = queue_.download<float>(befores_);
  const auto levels = queue_.download<float>(levels_);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t c = i % previous.size();
    const std::int32_t side = i < previous.size() ? first_side_ : -first_side_;
    PeakLane& lane = (side > 0 ? to.above : to.below)[c];
    lane.start = starts[i];
    lane.before = befores[i];
    lane.value = previous[c] * levels[c] * static_cast<float>(side);
  }
}

void PeakTopsOnDevice::take_over(const PeakState& from) {
  fed_ = from.next_frame;
  queue_.upload(previous_, std::span<const float>(from.previous.as<float>().row(0),
                                                  static_cast<std::size_t>(channels_)));
  std::vector<std::int64_t> starts;
  std::vector<float> befores;
  for (std::int32_t side = 0; side < sides_; ++side) {
    const auto& lanes = (side == 0 ? first_side_ : -first_side_) > 0 ? from.above : from.below;
    for (const PeakLane& lane : lanes) {
      starts.push_back(lane.start);
      befores.push_back(lane.before);
    }
  }
  queue_.upload(starts_, std::span<const std::int64_t>(starts));
  queue_.upload(befores_, std::span<const float>(befores));
}

}  // namespace weir::signal
