#pragma once

#include <cstdint>
#include <string>
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

/// What the rows of a stream stand for. In sidecars and tables the name of their column.
enum class Axis {
  time_s,       ///< Frames that follow each other in time.
  frequency_hz  ///< Frequencies from 0 Hz on: a spectrum for each segment.
};

std::string_view name(Axis axis) noexcept;
/// The axis called `text`. Errors: `invalid_spec` listing the names.
Axis axis_named(std::string_view text);

/// "30000 Hz" for frames of time, "a row each 12.5 Hz" along frequency.
std::string rows_text(Axis axis, const SampleRate& rate);

/// A stretch without gaps; along frequency, the spectrum of one.
struct Segment {
  std::int64_t frames = 0;
  Rational start_s;              ///< Time of its first frame on the recording's clock, in seconds;
                                 ///< of a spectrum, of the first frame that it is made of.
  std::int64_t first_frame = 0;  ///< What events call its first frame: its index in the stored
                                 ///< segment, or 0 after a change of rate.
  std::int64_t index = 0;        ///< Which stored segment it comes from.

  friend bool operator==(const Segment&, const Segment&) = default;
};

/// What a signal port carries.
struct StreamInfo {
  SampleRate rate;  ///< Rows per second; per Hz where they run along frequency.
  std::vector<Channel> channels;
  std::vector<Segment> segments;
  SampleType type = SampleType::float32;
  Axis axis = Axis::time_s;

  std::int64_t channel_count() const noexcept { return static_cast<std::int64_t>(channels.size()); }
  std::int64_t total_frames() const noexcept;

  friend bool operator==(const StreamInfo&, const StreamInfo&) = default;
};

}  // namespace weir
