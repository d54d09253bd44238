#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/stream.h"
#include "weir/op/operator.h"

namespace weir::signal {

enum class LevelUnit { signal, mad, sd };
enum class Direction { above, below, either };

std::span<const op::EnumName<LevelUnit>> names_of(LevelUnit);
std::span<const op::EnumName<Direction>> names_of(Direction);

/// Events where a channel crosses a level: threshold detection with hysteresis.
struct Crossings {
  double level = 0;
  LevelUnit level_unit = LevelUnit::signal;
  std::optional<Direction> direction = {};  ///< Default: `below` when level < 0, else `above`.
  std::optional<double> release = {};       ///< Default: `level`.
  double min_duration_s = 0;
  double refractory_s = 0;
};

/// The direction asked for, or the one that follows from the sign of the level.
Direction direction_of(const Crossings& params) noexcept;

/// The rules of one run, in frames.
struct CrossingRules {
  Direction direction = Direction::above;
  std::int64_t min_frames = 0;         ///< Shorter events are dropped.
  std::int64_t refractory_frames = 0;  ///< From an offset to the earliest next onset.
};

/// What the scan compares, per padded channel, in oriented counts v = sign * count: an event starts
/// at v >= on and ends at v < off. For `either`, +v and -v are both compared.
/// Range: NaN in `on` and `off` where a channel can have no events.
struct CrossingLevels {
  std::vector<float> sign;  ///< +1 or -1: makes v rise where the physical value leaves zero.
  std::vector<float> on;
  std::vector<float> off;
};

/// The smallest float v with v * gain >= level in float64, so that comparing counts in float32
/// gives exactly the answer of comparing physical values in float64.
/// Range: `gain` > 0; NaN when `level` is NaN.
float lowest_count_at(double level, double gain) noexcept;

/// `scale`: per channel in physical units, one per channel (1 for `LevelUnit::signal`; NaN: no
/// events there).
CrossingLevels crossing_levels(const Crossings& params, const std::vector<Channel>& channels,
                               const std::vector<double>& scale);

/// Errors: `invalid_spec` naming the field.
CrossingRules crossing_rules(const Crossings& params, const SampleRate& rate);

const op::Operator& crossings_operator();

}  // namespace weir::signal
