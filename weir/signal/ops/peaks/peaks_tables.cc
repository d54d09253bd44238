#include <algorithm>
#include <limits>

#include "weir/signal/ops/peaks/peaks_tables_internal.h"

namespace weir::signal {
namespace {
/// Rows and marks are there for longer than any peak waits: selection looks back from the grid time
/// before, and from there to whole words.
constexpr std::int64_t kSlack = 2 * kPeakGrid;

/// Lanes of the kernels' side 0 or 1.
template <class State>
auto& lanes_of(const PeakRules& rules, State& state, std::int64_t side) {
  return rules.pos && side == 0 ? state.above : state.below;
}

/// One lane of the tables.
struct LaneAt {
  std::int64_t side = 0;
  std::int64_t channel = 0;
  float turn = 1;  ///< Counts times this are oriented.
};

LaneAt lane_at(const PeakPlan& plan, const PeakState& state, std::int64_t side,
               std::int64_t channel) {
  const float sign = plan.levels[static_cast<std::size_t>(state.at.first_channel + channel)].sign;
  return {side, channel, plan.rules.pos && side == 0 ? sign : -sign};
}

/// Calls `visit(row of the state, row of the tables)` for the rows that both have.
template <class Visit>
void for_each_row(const PeakPlan& plan, const PeakTablesShape& shape, const PeakState& state,
                  Visit&& visit) {
  const std::int64_t length = plan.rules.kept_rows();
  const std::int64_t first = std::max(state.at.first_frame, state.next_frame - length);
  for (std::int64_t frame = first; frame < state.next_frame && length > 0; ++frame) {
    visit(state.rows.as<float>().row(frame % length), frame % shape.rows * shape.channels);
  }
}

/// The peaks from frame `oldest` on, before `end`.
void hand_over_lane(const PeakTablesShape& shape, const PeakTables& from, const LaneAt& at,
                    std::int64_t oldest, std::int64_t end, PeakLane& to) {
  const auto sample = [&](std::int64_t frame) {
    return from.rows[static_cast<std::size_t>(frame % shape.rows * shape.channels + at.channel)];
  };
  const auto marked = [&](bool kept, std::int64_t frame) {
    const std::uint32_t word = from.marks[shape.word_of(at.side, kept, frame, at.channel)];
    return (word << (frame % kMarksInWord) & 0x80000000U) != 0;
  };
  to.candidates.clear();
  for (std::int64_t peak = oldest; peak < end; ++peak) {
    if (marked(false, peak)) {
      PeakCandidate one{.start = peak,
                        .end = peak + 1,
                        .value = sample(peak) * at.turn,
                        .fate = marked(true, peak) ? PeakFate::kept : PeakFate::open};
      while (sample(one.start - 1) == sample(peak)) {
        --one.start;
      }
      while (sample(one.end) == sample(peak)) {
        ++one.end;
      }
      to.candidates.push_back(one);
    }
  }
}

void take_over_lane(const PeakRules& rules, const PeakTablesShape& shape, const PeakLane& lane,
                    const LaneAt& at, std::int64_t now, PeakTables& to) {
  const auto fill = [&](std::int64_t first, std::int64_t end, float value) {
    for (std::int64_t frame = std::max(first, now - shape.rows); frame < end; ++frame) {
      to.rows[static_cast<std::size_t>(frame % shape.rows * shape.channels + at.channel)] =
          value * at.turn;
    }
  };
  for (const PeakCandidate& one : lane.candidates) {
    fill(one.start, one.end, one.value);
    const std::uint32_t bit = 0x80000000U >> (one.peak() % kMarksInWord);
    to.marks[shape.word_of(at.side, false, one.peak(), at.channel)] |= bit;
    if (one.fate == PeakFate::kept) {
      to.marks[shape.word_of(at.side, true, one.peak(), at.channel)] |= bit;
    }
  }
  if (lane.start >= 0) {
    fill(lane.start, now, lane.value);
    const std::int64_t grid = now / kPeakGrid;
    const std::int64_t open_for = grid * kPeakGrid - lane.start;
    if (open_for > 0 && open_for <= rules.max_cluster) {
      const std::int64_t slot = at.side * shape.slots + grid % shape.slots;
      to.opens[static_cast<std::size_t>(slot * shape.channels + at.channel)] = lane.start;
    }
  }
}
}  // namespace

PeakTablesShape peak_tables_shape(const PeakRules& rules, std::int64_t channels,
                                  std::int64_t frames) noexcept {
  return {.rows = rules.horizon + std::max(rules.half_window, rules.max_cluster / 2) + kSlack,
          .words = (rules.horizon + frames + kSlack) / kMarksInWord + 3,
          .slots = rules.selects() ? frames / kPeakGrid + 2 : 1,
          .channels = channels,
          .sides = rules.pos && rules.neg ? 2 : 1};
}

void hand_over_peaks(const PeakPlan& plan, const PeakTablesShape& shape, const PeakTables& from,
                     PeakState& to) {
  const std::int64_t oldest = std::max(to.at.first_frame, to.next_frame - plan.rules.horizon);
  for (std::int64_t side = 0; side < shape.sides; ++side) {
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      hand_over_lane(shape, from, lane_at(plan, to, side, c), oldest, to.next_frame,
                     lanes_of(plan.rules, to, side)[static_cast<std::size_t>(c)]);
    }
  }
  for_each_row(plan, shape, to, [&](float* row, std::int64_t place) {
    std::copy_n(from.rows.data() + place, shape.channels, row);
  });
}

PeakTables tables_of(const PeakPlan& plan, const PeakTablesShape& shape, const PeakState& from) {
  // Where no row is known, none is asked for but that it is not part of a top.
  PeakTables tables{std::vector<float>(static_cast<std::size_t>(shape.rows * shape.channels),
                                       std::numeric_limits<float>::quiet_NaN()),
                    std::vector<std::uint32_t>(shape.mark_count()),
                    std::vector<std::int64_t>(shape.open_count(), -1)};
  for_each_row(plan, shape, from, [&](const float* row, std::int64_t place) {
    std::copy_n(row, shape.channels, tables.rows.data() + place);
  });
  for (std::int64_t side = 0; side < shape.sides; ++side) {
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      take_over_lane(plan.rules, shape,
                     lanes_of(plan.rules, from, side)[static_cast<std::size_t>(c)],
                     lane_at(plan, from, side, c), from.next_frame, tables);
    }
  }
  return tables;
}

}  // namespace weir::signal
