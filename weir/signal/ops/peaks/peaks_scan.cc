#include <algorithm>
#include <array>
#include <cstring>

#include "weir/signal/ops/peaks/peaks_internal.h"

namespace weir::signal {
namespace {
/// Rows looked at together: a lane that stays low in all of them costs a load and a compare a row.
constexpr std::int64_t kStretch = 64;

Event event_of(const PeakPlan& plan, const PeakState& state, std::int64_t lane, float side,
               const PeakCandidate& candidate) {
  const auto channel = static_cast<std::size_t>(state.at.first_channel + lane);
  const std::int64_t wait = plan.rules.horizon;
  return {.onset = candidate.start,
          .offset = candidate.end,
          .peak = candidate.peak(),
          .final = wait > 0 ? candidate.peak() + wait : candidate.end,
          .peak_value = candidate.value * side * plan.levels[channel].sign,
          .channel = static_cast<std::int32_t>(channel),
          .segment = static_cast<std::uint32_t>(state.at.segment),
          .polarity = static_cast<std::int8_t>(side)};
}

/// One channel, one polarity, walking through time. Values are oriented counts.
class LaneWalk {
 public:
  LaneWalk(const PeakPlan& plan, PeakState& state, std::int64_t number, float side,
           EventList& events)
      : plan_(plan),
        state_(state),
        levels_(plan.levels[static_cast<std::size_t>(state.at.first_channel + number)]),
        lane_((side > 0 ? state.above : state.below)[static_cast<std::size_t>(number)]),
        events_(events),
        number_(number),
        side_(side),
        turn_(side * levels_.sign) {}

  void walk(std::int64_t frame, const float* previous, Block<const float> in) {
    float last = previous[number_] * turn_;
    for (std::int64_t f = 0; f < in.frames(); ++f) {
      const float value = in.row(f)[number_] * turn_;
      step(frame + f, last, value);
      last = value;
    }
  }

 private:
  void step(std::int64_t t, float last, float value) {
    if (lane_.start >= 0) {
      if (value == lane_.value) {
        return;
      }
      if (value < lane_.value) {
        end_top(t, value);
      }
      lane_.start = -1;
    }
    if (last < value && value >= levels_.least) {
      lane_.start = t;
      lane_.before = last;
      lane_.value = value;
    }
  }

  void end_top(std::int64_t t, float after) {
    const PeakCandidate candidate{.start = lane_.start, .end = t, .value = lane_.value};
    const double top = double{lane_.value} * levels_.gain;
    const bool flat = t - lane_.start > 1;
    const double rise = flat ? 0
                             : std::min(top - double{lane_.before} * levels_.gain,
                                        top - double{after} * levels_.gain);
    if (!(rise >= levels_.threshold)) {
      return;
    }
    if (plan_.rules.horizon == 0) {
      events_.push_back(event_of(plan_, state_, number_, side_, candidate));
    } else if (t - lane_.start > plan_.rules.max_cluster) {
      ++state_.too_flat;
    } else {
      lane_.candidates.push_back(candidate);
    }
  }

  const PeakPlan& plan_;
  PeakState& state_;
  const PeakLevels& levels_;
  PeakLane& lane_;
  EventList& events_;
  std::int64_t number_;
  float side_;
  float turn_;
};

bool top_is_open(const std::vector<PeakLane>& lanes, std::int64_t lane) {
  return !lanes.empty() && lanes[static_cast<std::size_t>(lane)].start >= 0;
}

void scan_stretch(const PeakPlan& plan, PeakState& state, Block<const float> in,
                  const float* before, EventList& events) {
  alignas(64) std::array<float, kLanePadding> active;
  const PeakRules& rules = plan.rules;
  for (std::int64_t group = 0; group < in.channels(); group += kLanePadding) {
    const std::int64_t first = state.at.first_channel + group;
    const auto orientation = rules.pos ? 0 : std::ssize(plan.sign) / 2;
    const bool any =
        find_high_lanes(plan.sign.data() + orientation + first, plan.least.data() + first,
                        rules.pos && rules.neg, in.columns(group, kLanePadding), active.data());
    const std::int64_t used = std::min(kLanePadding, in.channels() - group);
    for (std::int64_t i = 0; i < used; ++i) {
      const std::int64_t lane = group + i;
      const bool open = top_is_open(state.above, lane) || top_is_open(state.below, lane);
      if (!open && (!any || active[static_cast<std::size_t>(i)] == 0)) {
        continue;
      }
      for (const float side : {1.0F, -1.0F}) {
        if (side > 0 ? rules.pos : rules.neg) {
          LaneWalk(plan, state, lane, side, events).walk(state.next_frame, before, in);
        }
      }
    }
  }
}

void keep_rows(const PeakPlan& plan, PeakState& state, Block<const float> in) {
  const std::int64_t length = plan.rules.kept_rows();
  for (std::int64_t f = 0; length > 0 && f < in.frames(); ++f) {
    std::memcpy(state.rows.as<float>().row((state.next_frame + f) % length), in.row(f),
                static_cast<std::size_t>(in.channels()) * sizeof(float));
  }
}

void emit_lane(const PeakPlan& plan, PeakState& state, std::int64_t lane, float side,
               std::int64_t now, EventList& events) {
  auto& candidates =
      (side > 0 ? state.above : state.below)[static_cast<std::size_t>(lane)].candidates;
  const auto ready = std::find_if(candidates.begin(), candidates.end(), [&](const auto& one) {
    return one.peak() + plan.rules.horizon >= now;
  });
  for (auto one = candidates.begin(); one != ready; ++one) {
    if (!plan.rules.measures() || stands_out(plan, state, lane, side, *one)) {
      events.push_back(event_of(plan, state, lane, side, *one));
    }
  }
  candidates.erase(candidates.begin(), ready);
}
}  // namespace

std::vector<op::Counter> PeakState::counters() const {
  return {{"peaks decided before a higher neighbour was (max_cluster_s)", forced},
          {"flat tops longer than max_cluster_s", too_flat}};
}

void scan_peaks(const PeakPlan& plan, PeakState& state, Block<const float> in, EventList& events) {
  const float* before = state.previous.as<float>().row(0);
  for (std::int64_t frame = 0; frame < in.frames();) {
    // A stretch ends where peaks are thought over.
    const std::int64_t to_grid = kPeakGrid - state.next_frame % kPeakGrid;
    const auto stretch = in.slice(frame, std::min({kStretch, to_grid, in.frames() - frame}));
    keep_rows(plan, state, stretch);
    scan_stretch(plan, state, stretch, before, events);
    state.next_frame += stretch.frames();
    frame += stretch.frames();
    before = stretch.row(stretch.frames() - 1);
    if (plan.rules.horizon > 0 && state.next_frame % kPeakGrid == 0) {
      select_peaks(plan, state, state.next_frame, false);
      emit_peaks(plan, state, state.next_frame, events);
    }
  }
  std::memcpy(state.previous.as<float>().row(0), before,
              static_cast<std::size_t>(in.channels()) * sizeof(float));
}

void emit_peaks(const PeakPlan& plan, PeakState& state, std::int64_t now, EventList& events) {
  for (std::int64_t lane = 0; lane < state.at.channel_count; ++lane) {
    for (const float side : {1.0F, -1.0F}) {
      if (side > 0 ? plan.rules.pos : plan.rules.neg) {
        emit_lane(plan, state, lane, side, now, events);
      }
    }
  }
}

}  // namespace weir::signal
