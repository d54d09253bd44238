#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/stream.h"
#include "weir/formats/counter_gaps.h"

namespace weir::formats {

/// Segments of one stream, and the stream's frame at which each starts.
struct IntanSegments {
  std::vector<Segment> segments;
  std::vector<std::int64_t> first_frames;
};

/// `stamps` time stamps at the amplifiers' `rate`, one a frame, are those of `frames` frames of a
/// stream that has `share` of that rate: a jump of the stamps starts a segment, at stamp / rate.
IntanSegments intan_segments(std::int64_t stamps, const ReadCounters& read, const SampleRate& rate,
                             std::int64_t frames, const Rational& share,
                             std::vector<std::string>& warnings);

}  // namespace weir::formats
