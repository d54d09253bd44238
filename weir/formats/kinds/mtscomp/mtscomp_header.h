#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/value.h"

namespace weir::formats {

/// What a `.ch` file says.
/// Source: mtscomp 1.0, `Writer.get_cmeta`.
struct MtscompHeader {
  double rate_hz = 0;
  std::int64_t channels = 0;
  StoredType type = StoredType::int16;
  bool big_endian = false;
  bool time_differences = true;
  bool space_differences = false;
  SampleOrder order = SampleOrder::channel_major;  ///< How samples lie in a chunk.
  std::vector<std::int64_t> bounds;                ///< First frame of each chunk, and the end.
  std::vector<std::int64_t> offsets;               ///< First byte of each chunk, and the end.

  std::int64_t longest_chunk() const noexcept;
};

/// Whether the document is a header of mtscomp.
bool is_mtscomp_header(const Value& document);

/// Errors: `corrupt_data` naming the field, `unsupported` for other algorithms.
MtscompHeader parse_mtscomp_header(const Value& document);

}  // namespace weir::formats
