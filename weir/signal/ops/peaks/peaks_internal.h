#pragma once

#include <cstdint>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/core/event.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/peaks/peaks.h"

namespace weir::signal {

enum class PeakFate : std::int8_t { open, kept };

/// A local maximum that was high enough. `value` is the oriented count: larger is more extreme.
struct PeakCandidate {
  std::int64_t start = 0;
  std::int64_t end = 0;  ///< One past its flat top.
  float value = 0;
  PeakFate fate = PeakFate::open;

  std::int64_t peak() const noexcept { return (start + end - 1) / 2; }
};

/// One channel, one polarity.
struct PeakLane {
  std::int64_t start = -1;  ///< Of a top that has not ended; -1: there is none.
  float before = 0;         ///< The sample before it.
  float value = 0;
  std::vector<PeakCandidate> candidates = {};  ///< By time; open and kept ones.
};

/// Everything that the parts of a run share.
struct PeakPlan {
  PeakRules rules;
  std::vector<PeakLevels> levels;
  std::vector<std::vector<std::int32_t>> competitors;
  std::vector<float> sign;   ///< Of `levels`, padded.
  std::vector<float> least;  ///< The same.
};

struct PeakState final : op::State {
  op::StartPoint at;
  std::int64_t next_frame = 0;
  std::vector<PeakLane> above;  ///< Per channel of the group.
  std::vector<PeakLane> below;
  Buffer previous;  ///< The last row seen; NaN before the first.
  Buffer rows;      ///< The last rows, frame f in row f mod their number.
  std::int64_t forced = 0;
  std::int64_t too_flat = 0;

  std::vector<op::Counter> counters() const override;
};

/// Walks over one block, whose rows have been kept; appends what needs no more thought.
void scan_peaks(const PeakPlan& plan, PeakState& state, Block<const float> in, EventList& events);

/// Decides what can be decided when all frames before `now` are known; with `ended`, all.
void select_peaks(const PeakPlan& plan, PeakState& state, std::int64_t now, bool ended);

/// Takes out the kept peaks that are final before `now`, and appends those prominent and wide
/// enough.
void emit_peaks(const PeakPlan& plan, PeakState& state, std::int64_t now, EventList& events);

/// Whether a peak is as prominent and as wide as is asked for.
/// Source: the definitions of scipy.signal.peak_prominences and peak_widths, with wlen.
bool stands_out(const PeakPlan& plan, const PeakState& state, std::int64_t lane, float side,
                const PeakCandidate& candidate);

/// Whether lane i of the next `kLanePadding` reaches `least` in the rows of `in`, as non-zero
/// `active[i]`; with `both`, either way. Returns whether any does.
bool find_high_lanes(const float* sign, const float* least, bool both, Block<const float> in,
                     float* active);

/// The same events on a device. What needs no more thought than a height asks nothing of it; other
/// rules compare in float64.
std::unique_ptr<op::DeviceStep> peaks_on(const op::DevicePlace& place, const PeakPlan& plan,
                                         const op::StartPoint& at);
std::size_t peaks_device_bytes(const PeakPlan& plan, std::int64_t channels,
                               std::int64_t frames) noexcept;
std::unique_ptr<op::DeviceStep> peaks_by_rules_on(const op::DevicePlace& place,
                                                  const PeakPlan& plan, const op::StartPoint& at);
std::size_t peaks_by_rules_bytes(const PeakPlan& plan, std::int64_t channels,
                                 std::int64_t frames) noexcept;

}  // namespace weir::signal
