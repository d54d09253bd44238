#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/event_source.h"

namespace weir::formats {

/// A bit of a channel of words.
struct DigitalLine {
  std::string name;
  std::int64_t channel = 0;  ///< Column in the recording.
  int bit = 0;               ///< 0 is the lowest. Range: 0 to 23.
};

/// What a listing says of lines in a recording: everything but the number of edges.
EventStreamInfo describe_lines(std::string name, const RecordingInfo& recording,
                               const std::vector<DigitalLine>& lines);

/// The edges of bits of a recording's channels. A segment's first sample is no edge, whatever its
/// level. Words are whole counts, as int16 or up to 24 bits; negative ones stand for their two's
/// complement.
/// A short recording is read once to count them; of a longer one nothing is held but how many edges
/// lie before each stretch, as far as it was read.
std::unique_ptr<EventSource> make_digital_lines(std::string name,
                                                std::shared_ptr<const RecordingSource> recording,
                                                const std::vector<DigitalLine>& lines);

}  // namespace weir::formats
