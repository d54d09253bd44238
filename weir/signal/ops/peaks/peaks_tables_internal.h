#pragma once

#include <cstdint>
#include <vector>

#include "weir/signal/ops/peaks/peaks_internal.h"

namespace weir::signal {

/// Frames of a word of marks.
inline constexpr std::int64_t kMarksInWord = 32;

/// How large the tables are that peaks_mark.cl describes.
struct PeakTablesShape {
  std::int64_t rows = 0;   ///< That are kept: `kept` of the kernels.
  std::int64_t words = 0;  ///< Of marks, of each lane.
  std::int64_t slots = 0;  ///< Grid times.
  std::int64_t channels = 0;
  std::int64_t sides = 1;

  std::size_t mark_count() const noexcept {
    return static_cast<std::size_t>(2 * sides * words * channels);
  }
  std::size_t open_count() const noexcept {
    return static_cast<std::size_t>(sides * slots * channels);
  }
  /// Of the word with a frame's mark; with `kept`, of those that are kept.
  std::size_t word_of(std::int64_t side, bool kept, std::int64_t frame,
                      std::int64_t channel) const noexcept {
    return static_cast<std::size_t>(
        ((2 * side + (kept ? 1 : 0)) * words + frame / kMarksInWord % words) * channels + channel);
  }
};

/// For blocks of at most `frames`.
PeakTablesShape peak_tables_shape(const PeakRules& rules, std::int64_t channels,
                                  std::int64_t frames) noexcept;

/// What lies in them.
struct PeakTables {
  std::vector<float> rows;
  std::vector<std::uint32_t> marks;
  std::vector<std::int64_t> opens;
};

/// Between a device's tables and the CPU's state, but for its tops; `state.next_frame` is known.
void hand_over_peaks(const PeakPlan& plan, const PeakTablesShape& shape, const PeakTables& from,
                     PeakState& to);
PeakTables tables_of(const PeakPlan& plan, const PeakTablesShape& shape, const PeakState& from);

}  // namespace weir::signal
