#include <algorithm>
#include <cstring>
#include <limits>

#include "weir/op/device_fours.h"
#include "weir/signal/ops/crossings/crossings_cl.h"
#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/signal/ops/crossings/crossings_walk_cl.h"

namespace weir::signal {
namespace {

// The device keeps lanes as four words each, in this very order.
static_assert(sizeof(CrossingLane) == 32 && offsetof(CrossingLane, peak_value) == 24);

/// Items of a channel's group, each with a block of flags, while it walks.
constexpr std::int64_t kMostWalkItems = 256;
/// Items that share the search for peaks: enough to fill a device, whatever the number of events.
constexpr std::int64_t kPeakItems = 1 << 16;

std::int64_t sides_of(const CrossingRules& rules) noexcept {
  return rules.direction == Direction::either ? 2 : 1;
}

/// Blocks of 1024 frames: one word of flags.
std::int64_t blocks_of(std::int64_t frames) noexcept {
  return (frames + 1023) / 1024;
}

std::size_t flags_bytes(const CrossingRules& rules, std::int64_t channels,
                        std::int64_t frames) noexcept {
  return static_cast<std::size_t>((1 + sides_of(rules)) * blocks_of(frames) * channels) *
         sizeof(std::int32_t);
}

class CrossingsOnDevice final : public op::DeviceStep {
 public:
  CrossingsOnDevice(const op::DevicePlace& place, const CrossingRules& rules,
                    const CrossingLevels& levels, const op::StartPoint& at)
      : queue_(place.queue),
        begin_(place.device.kernel(kernels::kCrossings, "crossings_begin")),
        mark_(place.device.kernel(kernels::kCrossings, "crossings_mark")),
        walk_(place.device.kernel(kernels::kCrossingsWalk, "crossings_walk")),
        peak_(place.device.kernel(kernels::kCrossings, "crossings_peak")),
        close_(place.device.kernel(kernels::kCrossingsWalk, "crossings_close")),
        rules_(rules),
        channels_(static_cast<std::int32_t>(at.channel_count)),
        sides_(static_cast<std::int32_t>(sides_of(rules))),
        polarity_(rules.direction == Direction::below ? -1 : 1),
        fed_(at.first_frame) {
    std::vector<float> table;
    for (const auto* values : {&levels.sign, &levels.on, &levels.off}) {
      const auto first = values->begin() + static_cast<std::ptrdiff_t>(at.first_channel);
      table.insert(table.end(), first, first + channels_);
    }
    levels_ = place.device.allocate(place.queue, table);
    const auto count = static_cast<std::size_t>(channels_);
    lanes_ = place.device.allocate(place.queue, std::vector<CrossingLane>(count));
    previous_ = place.device.allocate(
        place.queue, std::vector<float>(count, std::numeric_limits<float>::quiet_NaN()));
    flags_ = place.device.allocate(flags_bytes(rules, channels_, place.max_frames));
    place.queue.clear(flags_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceEvents& events = out[0].events;
    if (in.frames == 0) {
      begin(events);
      return;
    }
    const op::FourTiles tiles(channels_, (in.frames + 31) / 32, 1);
    queue_.launch(mark_, tiles.range,
                  {in.buffer, in.first, in.stride, levels_, flags_, events.rows, in.frames,
                   channels_, sides_, op::in_fours(in, in), tiles.across, tiles.tile_rows});
    const std::int64_t items =
        std::clamp<std::int64_t>((blocks_of(in.frames) + 31) / 32 * 32, 64, kMostWalkItems);
    queue_.launch(walk_,
                  {.items = {channels_ * items, 1},
                   .group = {items, 1},
                   .local_bytes = static_cast<std::size_t>(10 * items) * sizeof(std::int32_t)},
                  {in.buffer, in.first, in.stride, levels_, previous_, flags_, lanes_, events.rows,
                   events.capacity, fed_, in.frames, rules_.min_frames, rules_.refractory_frames,
                   channels_, sides_, polarity_});
    const std::int64_t most = channels_ + events.capacity;
    queue_.launch(peak_, {.items = {std::min(most, kPeakItems), 1}},
                  {in.buffer, in.first, in.stride, levels_, lanes_, events.rows, events.capacity,
                   fed_, in.frames, channels_, sides_});
    fed_ += in.frames;
  }

  bool finish(std::span<op::DeviceEmission> out) override {
    const op::DeviceEvents& events = out[0].events;
    begin(events);
    queue_.launch(close_, {.items = {channels_, 1}},
                  {levels_, lanes_, events.rows, events.capacity, fed_, rules_.min_frames,
                   channels_, sides_, polarity_});
    return true;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<CrossingState&>(to);
    state.next_frame = fed_;
    queue_.download(
        lanes_, 0,
        std::as_writable_bytes(std::span(state.lanes.data(), static_cast<std::size_t>(channels_))));
    queue_.download(previous_, 0,
                    std::as_writable_bytes(std::span(state.previous.as<float>().row(0),
                                                     static_cast<std::size_t>(channels_))));
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const CrossingState&>(from);
    fed_ = state.next_frame;
    queue_.upload(lanes_, std::span(state.lanes.data(), static_cast<std::size_t>(channels_)));
    queue_.upload(previous_, std::span<const float>(state.previous.as<float>().row(0),
                                                    static_cast<std::size_t>(channels_)));
  }

 private:
  void begin(const op::DeviceEvents& events) {
    queue_.launch(begin_, {.items = {1, 1}}, {events.rows});
  }

  compute::Queue& queue_;
  compute::Kernel begin_;
  compute::Kernel mark_;
  compute::Kernel walk_;
  compute::Kernel peak_;
  compute::Kernel close_;
  CrossingRules rules_;
  std::int32_t channels_;
  std::int32_t sides_;
  std::int32_t polarity_;
  std::int64_t fed_;
  compute::Buffer levels_;
  compute::Buffer lanes_;
  compute::Buffer previous_;
  compute::Buffer flags_;  ///< 0 between calls.
};
}  // namespace

std::size_t crossings_device_bytes(const CrossingRules& rules, std::int64_t channels,
                                   std::int64_t frames) noexcept {
  const std::size_t lane = sizeof(CrossingLane) + 4 * sizeof(float);
  return static_cast<std::size_t>(channels) * lane + flags_bytes(rules, channels, frames);
}

std::int64_t most_crossings(const CrossingRules& rules, std::int64_t channels,
                            std::int64_t frames) noexcept {
  const std::int64_t gap =
      std::max<std::int64_t>(rules.refractory_frames, rules.direction == Direction::either ? 0 : 1);
  const std::int64_t period = gap + std::max<std::int64_t>(1, rules.min_frames);
  return channels * std::max<std::int64_t>(1, (frames + period - 1) / period);
}

std::unique_ptr<op::DeviceStep> crossings_on(const op::DevicePlace& place,
                                             const CrossingRules& rules,
                                             const CrossingLevels& levels,
                                             const op::StartPoint& at) {
  return std::make_unique<CrossingsOnDevice>(place, rules, levels, at);
}

}  // namespace weir::signal
