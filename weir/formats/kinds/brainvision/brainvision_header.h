#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"

namespace weir::formats {

/// Lines "key=value" below "[section]"; keys and sections in small letters, text as UTF-8.
using BrainvisionSections = std::map<std::string, std::map<std::string, std::string>>;
BrainvisionSections parse_brainvision(std::string_view text);

/// What a .vhdr says.
struct BrainvisionHeader {
  std::string data_file;    ///< Without folder.
  std::string marker_file;  ///< Without folder; empty for none.
  SampleRate rate;
  std::vector<Channel> channels;
  StoredType stored = StoredType::int16;
  SampleOrder order = SampleOrder::time_major;
  std::optional<std::int64_t> frames;  ///< DataPoints, where given.
};

/// `stem`: the header's own name, for `$b`.
/// Errors: `corrupt_data` naming the key; `unsupported` for text and frequency data.
/// Source: BrainVision Core Data Format 1.0.
BrainvisionHeader read_brainvision_header(std::string_view text, const std::string& stem);

/// A marker "New Segment": a break in time in front of a sample.
struct BrainvisionSegment {
  std::int64_t first = 0;                    ///< Range: from 0 on.
  std::string start_time;                    ///< ISO 8601; empty when not given.
  std::optional<std::int64_t> microseconds;  ///< The same, since the year 0.
};

/// The markers that start segments, by sample. Errors: `corrupt_data`.
std::vector<BrainvisionSegment> read_brainvision_segments(std::string_view text);

}  // namespace weir::formats
