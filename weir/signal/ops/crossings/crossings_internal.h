#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/core/event.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/crossings/crossings.h"

namespace weir::signal {

/// One channel's detector.
struct CrossingLane {
  std::int64_t next_allowed = INT64_MIN;  ///< Earliest onset that counts.
  std::int64_t onset = 0;
  std::int64_t peak = 0;
  float peak_value = 0;   ///< Oriented: the largest v since the onset.
  std::int32_t open = 0;  ///< 0 closed; +1 or -1: the side of an open event.
};

struct CrossingState final : op::State {
  op::StartPoint at;
  std::int64_t next_frame = 0;
  std::vector<CrossingLane> lanes;  ///< One per padded channel.
  Buffer previous;                  ///< The last row seen; NaN before the first.
};

/// Scans one block; appends what became final in row order.
void scan_crossings(const CrossingRules& rules, const CrossingLevels& levels, CrossingState& state,
                    Block<const float> in, EventList& events);
/// The segment ends at `state.next_frame`: what is open becomes final.
void close_crossings(const CrossingRules& rules, const CrossingLevels& levels, CrossingState& state,
                     EventList& events);
/// Whether `lane` can change in the rows of `in`: bit set in `active` (one float per padded
/// channel, non-zero for yes) where it reaches its level. Returns whether any does.
bool find_active_lanes(Direction direction, const CrossingLevels& levels, std::int64_t first_lane,
                       Block<const float> in, float* active);

/// Events that become final in `frames` frames at most: between the ends of two events of a channel
/// lie the refractory time and the shortest duration.
std::int64_t most_crossings(const CrossingRules& rules, std::int64_t channels,
                            std::int64_t frames) noexcept;
std::unique_ptr<op::DeviceStep> crossings_on(const op::DevicePlace& place,
                                             const CrossingRules& rules,
                                             const CrossingLevels& levels,
                                             const op::StartPoint& at);
std::size_t crossings_device_bytes(const CrossingRules& rules, std::int64_t channels,
                                   std::int64_t frames) noexcept;

}  // namespace weir::signal
