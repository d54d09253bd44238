#include <algorithm>
#include <array>
#include <cstring>

#include "weir/signal/ops/crossings/crossings_internal.h"

namespace weir::signal {
namespace {
/// Rows looked at together: a lane that stays away from its level in all of them costs a load and a
/// compare per vector.
constexpr std::int64_t kStretch = 64;

/// One channel walking through time. `v` is the oriented count.
class LaneScan {
 public:
  LaneScan(const CrossingRules& rules, const CrossingLevels& levels, CrossingState& state,
           std::int64_t lane, EventList& events)
      : rules_(rules),
        state_(state),
        lane_(state.lanes[static_cast<std::size_t>(lane)]),
        events_(events),
        channel_(state.at.first_channel + lane),
        sign_(levels.sign[static_cast<std::size_t>(channel_)]),
        on_(levels.on[static_cast<std::size_t>(channel_)]),
        off_(levels.off[static_cast<std::size_t>(channel_)]) {}

  void step(std::int64_t t, float previous, float current) {
    previous *= sign_;
    current *= sign_;
    if (lane_.open != 0) {
      const float v = lane_.open > 0 ? current : -current;
      if (v < off_) {
        close(t, t);
      } else if (v > lane_.peak_value) {
        lane_.peak_value = v;
        lane_.peak = t;
      }
    }
    if (lane_.open == 0 && t >= lane_.next_allowed) {
      try_open(t, previous, current, 1);
      if (rules_.direction == Direction::either && lane_.open == 0) {
        try_open(t, -previous, -current, -1);
      }
    }
  }

  void finish(std::int64_t end) {
    if (lane_.open != 0) {
      close(end, Event::kOpen);
    }
  }

 private:
  void try_open(std::int64_t t, float previous, float current, std::int32_t side) {
    if (previous < on_ && current >= on_) {
      lane_.open = side;
      lane_.onset = t;
      lane_.peak = t;
      lane_.peak_value = current;
    }
  }

  void close(std::int64_t final, std::int64_t offset) {
    if (final - lane_.onset >= rules_.min_frames) {
      const float side = lane_.open > 0 ? 1.0F : -1.0F;
      const std::int8_t polarity = rules_.direction == Direction::either
                                       ? static_cast<std::int8_t>(lane_.open)
                                       : std::int8_t(rules_.direction == Direction::below ? -1 : 1);
      events_.push_back({.onset = lane_.onset,
                         .offset = offset,
                         .peak = lane_.peak,
                         .final = final,
                         .peak_value = lane_.peak_value * side * sign_,
                         .channel = static_cast<std::int32_t>(channel_),
                         .segment = static_cast<std::uint32_t>(state_.at.segment),
                         .polarity = polarity});
      lane_.next_allowed = final + rules_.refractory_frames;
    }
    lane_.open = 0;
  }

  const CrossingRules& rules_;
  const CrossingState& state_;
  CrossingLane& lane_;
  EventList& events_;
  std::int64_t channel_;
  float sign_;
  float on_;
  float off_;
};

void scan_stretch(const CrossingRules& rules, const CrossingLevels& levels, CrossingState& state,
                  Block<const float> in, const float* before, EventList& events) {
  alignas(64) std::array<float, kLanePadding> active;
  const std::int64_t first = state.at.first_channel;
  for (std::int64_t group = 0; group < in.channels(); group += kLanePadding) {
    bool any = find_active_lanes(rules.direction, levels, first + group,
                                 in.columns(group, kLanePadding), active.data());
    for (std::int64_t i = 0; i < kLanePadding; ++i) {
      const bool open = state.lanes[static_cast<std::size_t>(group + i)].open != 0;
      active[static_cast<std::size_t>(i)] += open ? 1.0F : 0.0F;
      any = any || open;
    }
    const std::int64_t used = any ? std::min(kLanePadding, in.channels() - group) : 0;
    for (std::int64_t i = 0; i < used; ++i) {
      if (active[static_cast<std::size_t>(i)] == 0) {
        continue;
      }
      const std::int64_t lane = group + i;
      LaneScan scan(rules, levels, state, lane, events);
      float previous = before[lane];
      for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
        const float current = in.row(frame)[lane];
        scan.step(state.next_frame + frame, previous, current);
        previous = current;
      }
    }
  }
}
}  // namespace

void scan_crossings(const CrossingRules& rules, const CrossingLevels& levels, CrossingState& state,
                    Block<const float> in, EventList& events) {
  if (in.frames() == 0) {
    return;
  }
  const auto already = static_cast<std::ptrdiff_t>(events.size());
  const float* before = state.previous.as<float>().row(0);
  for (std::int64_t frame = 0; frame < in.frames(); frame += kStretch) {
    const auto stretch = in.slice(frame, std::min(kStretch, in.frames() - frame));
    scan_stretch(rules, levels, state, stretch, before, events);
    state.next_frame += stretch.frames();
    before = stretch.row(stretch.frames() - 1);
  }
  std::memcpy(state.previous.as<float>().row(0), before, state.lanes.size() * sizeof(float));
  // What becomes final in this block comes after everything of earlier blocks.
  std::sort(events.begin() + already, events.end(), row_before);
}

void close_crossings(const CrossingRules& rules, const CrossingLevels& levels, CrossingState& state,
                     EventList& events) {
  const auto already = static_cast<std::ptrdiff_t>(events.size());
  for (std::int64_t lane = 0; lane < state.at.channel_count; ++lane) {
    LaneScan(rules, levels, state, lane, events).finish(state.next_frame);
  }
  std::sort(events.begin() + already, events.end(), row_before);
}

}  // namespace weir::signal
