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
  double gain = 200;  ///< Counts per unit.
  std::int64_t baseline = 0;
  std::string unit = "mV";
  std::optional<std::int64_t> initial_value;
  std::optional<std::int64_t> checksum;  ///< Of all samples, modulo 65536.
  std::string description;
  bool calibrated = true;  ///< Whether the header gave a gain.
};

/// What a `.hea` file says.
struct WfdbHeader {
  std::string record;
  SampleRate rate = SampleRate::from_hz(250);
  std::int64_t frames = 0;  ///< 0 when not given.
  std::string start_time;   ///< ISO 8601; empty without a date.
  std::vector<WfdbSignal> signals;
  std::vector<std::string> comments;
};

/// Errors: `corrupt_data` "line 3: …"; `unsupported` for multi-segment records, other formats,
/// several samples a frame and skews.
/// Source: WFDB Applications Guide, header(5).
WfdbHeader parse_wfdb_header(std::string_view text);

}  // namespace weir::formats
