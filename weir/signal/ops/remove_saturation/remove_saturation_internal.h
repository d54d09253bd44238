#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/remove_saturation/remove_saturation.h"

namespace weir::signal {

/// In frames and counts.
struct SaturationRules {
  std::int64_t before = 0;   ///< Frames before a saturated one that are bad too.
  std::int64_t after = 0;    ///< And after it.
  std::int64_t longest = 0;  ///< Bad frames in a row that a line replaces; 0 for zeros.
  std::vector<float> least;  ///< Counts up to here are saturated; -inf never. Shape: padded.
  std::vector<float> most;   ///< And from here on.

  /// Rows after an output that it may look at.
  std::int64_t ahead() const noexcept { return longest + before; }
  /// Enough for both sides.
  std::int64_t rows_kept() const noexcept { return 2 * longest + before + after + 2; }
};

/// Bad frames of a channel that follow each other: [first, end).
struct SaturationRun {
  std::int64_t first = 0;
  std::int64_t end = 0;
  bool short_enough = false;
};

struct SaturationState final : op::State {
  SaturationState(const SaturationRules& rules, const op::StartPoint& at);
  std::vector<op::Counter> counters() const override {
    return {{"blanked samples", blanked}, {"samples of stretches over max_blank_s", too_long}};
  }
  const float* row(std::int64_t row, Block<const float> in) const noexcept {
    return row >= fed ? in.row(row - fed) : past.as<float>().row(row % past.frames());
  }
  std::size_t slot(std::int64_t row) const noexcept {
    return static_cast<std::size_t>(row % past.frames());
  }
  bool is_bad(std::int64_t row, std::int64_t channel) const noexcept {
    return any[slot(row)] != 0 &&
           marks[slot(row) * static_cast<std::size_t>(padded_channels(channels)) +
                 static_cast<std::size_t>(channel)] != 0;
  }
  /// Takes row `row` in, null past the end of the segment: marks the one `before` rows back.
  void mark(const SaturationRules& rules, const float* row, std::int64_t at);
  /// The marks of the rows kept, from them alone.
  void rebuild_from_past(const SaturationRules& rules);

  std::int64_t channels;
  std::int64_t first_channel;
  std::int64_t begun;  ///< Rows before it were never seen.
  std::int64_t fed;
  std::int64_t emitted;
  std::int64_t blanked = 0;
  std::int64_t too_long = 0;
  bool ended = false;               ///< The marks at the end of the segment are known.
  Buffer past;                      ///< Row k stands at k mod rows_kept().
  std::vector<std::uint8_t> any;    ///< Of the same rows: whether a channel is bad.
  std::vector<std::uint8_t> marks;  ///< And which. [rows, padded channels]; only where any is.
  std::vector<std::int32_t> since;  ///< Frames since the last saturated one; padded channels.
  std::vector<SaturationRun> runs;  ///< The last one looked at; channels.
};

/// A value of `since` for never.
inline constexpr std::int32_t kNotSince = 1 << 30;

/// What one row is compared with. Shape: padded channels.
struct SaturationLevels {
  const float* least = nullptr;
  const float* most = nullptr;
};
/// Brings `since` up to a row, null for one past the end; whether any of it is at most `reach`.
bool count_since(const float* row, const SaturationLevels& levels, std::int32_t reach,
                 std::int64_t channels, std::int32_t* since);

std::unique_ptr<op::DeviceStep> remove_saturation_on(const op::DevicePlace& place,
                                                     const op::StartPoint& at,
                                                     const SaturationRules& rules);
std::size_t remove_saturation_device_bytes(const SaturationRules& rules, std::int64_t channels,
                                           std::int64_t frames) noexcept;

}  // namespace weir::signal
