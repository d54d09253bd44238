#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/value.h"

namespace weir::formats {

/// What binary.json says.
struct BinaryFolder {
  std::vector<std::string> files;  ///< One a segment, inside the folder.
  RecordingInfo info;              ///< Segments with their start, without frames.
  bool big_endian = false;
  std::int64_t first_byte = 0;
};

/// Whether the document is one of SpikeInterface's binary recordings.
bool is_binary_folder(const Value& document);

/// Errors: `corrupt_data` naming the field; `unsupported` for another class; a file that lies
/// outside the folder is refused.
BinaryFolder read_binary_folder(const Value& document);

/// Adds what the folder's `properties` and probe say of the channels: gains, offsets, groups and
/// positions. What cannot be read is told in `info.warnings`.
void describe_channels(const std::filesystem::path& folder, RecordingInfo& info);

}  // namespace weir::formats
