#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/core/channel.h"
#include "weir/core/sample_rate.h"

namespace weir {

/// How samples travel between steps. Integers and floats are stored counts: gain and offset stay
/// beside them.
enum class SampleType { int16, int32, float32, float64, complex64 };

std::size_t size_of(SampleType type) noexcept;
std::string_view name(SampleType type) noexcept;

/// A stretch without gaps.
struct Segment {
  std::int64_t frames = 0;
  Rational start_s;              ///< Time of its first frame on the recording's clock, in seconds.
  std::int64_t first_frame = 0;  ///< What events call its first frame: its index in the stored
                                 ///< segment, or 0 after a change of rate.
  std::int64_t index = 0;        ///< Which stored segment it comes from.

  friend bool operator==(const Segment&, const Segment&) = default;
};

/// What a signal port carries.
struct StreamInfo {
  SampleRate rate;
  std::vector<Channel> channels;
  std::vector<Segment> segments;
  SampleType type = SampleType::float32;

  std::int64_t channel_count() const noexcept { return static_cast<std::int64_t>(channels.size()); }
  std::int64_t total_frames() const noexcept;

  friend bool operator==(const StreamInfo&, const StreamInfo&) = default;
};

}  // namespace weir
