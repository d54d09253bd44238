#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/sample_rate.h"

namespace weir::formats {

struct WfdbSignal {
  std::string file;
  int format = 16;
  std::int64_t byte_offset = 0;
  std::int64_t samples = 1;  ///< In a frame.
  std::int64_t skew = 0;     ///< Frames by which it is stored late.
  double gain = 200;         ///< Counts per unit.
  std::int64_t baseline = 0;
  std::int64_t zero = 0;  ///< Of the converter.
  std::string unit = "mV";
  std::optional<std::int64_t> initial_value;
  std::optional<std::int64_t> checksum;  ///< Of all samples, modulo 65536.
  std::string description;
  bool calibrated = true;  ///< Whether the header gave a gain.
};

/// A part of a record of several: a record of its own, or "~" for a stretch without any.
struct WfdbSegment {
  std::string record;
  std::int64_t frames = 0;
};

/// What a `.hea` file says: signals, or the segments that have them.
struct WfdbHeader {
  std::string record;
  SampleRate rate = SampleRate::from_hz(250);
  std::int64_t frames = 0;        ///< 0 when not given.
  std::string start_time;         ///< ISO 8601; empty without a date.
  std::int64_t signal_count = 0;  ///< Of each segment, where there are some.
  std::vector<WfdbSignal> signals;
  std::vector<WfdbSegment> segments;  ///< Empty for a record of one.
  std::vector<std::string> comments;
};

/// The layout of a record of segments has signals without files ("~ 0 …").
enum class WfdbHeaderOf { record, layout };

/// Errors: `corrupt_data` "line 3: …"; `unsupported` for other formats.
/// Source: WFDB Applications Guide, header(5).
WfdbHeader parse_wfdb_header(std::string_view text, WfdbHeaderOf of = WfdbHeaderOf::record);

}  // namespace weir::formats
