#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// One detected event of one channel, as detectors emit it.
/// Units: samples count from the segment's first frame at the detector's input rate; `peak_value`
/// is in counts of the
///        detector's input channel.
struct Event {
  static constexpr std::int64_t kOpen = -1;

  std::int64_t onset = 0;
  std::int64_t offset = kOpen;  ///< `kOpen` when the segment ended first.
  std::int64_t peak = 0;
  std::int64_t final =
      0;  ///< The sample that made it final: the offset or the segment's end. Orders the rows.
  float peak_value = 0;
  std::int32_t channel = 0;
  std::uint32_t segment = 0;
  std::int8_t polarity = 0;  ///< +1 above, -1 below.

  friend bool operator==(const Event&, const Event&) = default;
};

/// The order of rows in every event output: (final sample, channel, onset).
inline bool row_before(const Event& a, const Event& b) noexcept {
  if (a.final != b.final) {
    return a.final < b.final;
  }
  return a.channel != b.channel ? a.channel < b.channel : a.onset < b.onset;
}

using EventList = std::vector<Event>;

}  // namespace weir
