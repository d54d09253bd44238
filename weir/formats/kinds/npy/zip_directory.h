#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/formats/input_file.h"

namespace weir::formats {

/// One file inside a zip archive.
struct ZipMember {
  std::string name;
  /// How it is packed; what is encrypted counts as other.
  enum class Packing { stored, deflated, other };
  Packing packing = Packing::stored;
  std::int64_t local_header = 0;    ///< Where its own header starts.
  std::int64_t bytes = 0;           ///< In the archive.
  std::int64_t unpacked_bytes = 0;  ///< As the directory claims.
  std::uint32_t checksum = 0;       ///< CRC-32 of what is unpacked.
};

/// What the directory at an archive's end lists, zip64 included.
/// Errors: `corrupt_data` naming the file.
/// Source: PKWARE APPNOTE.TXT 6.3, sections 4.3 and 4.5.3.
std::vector<ZipMember> read_zip_directory(const InputFile& file);

/// Where the bytes of a member start. Errors: `corrupt_data`.
std::int64_t member_start(const InputFile& file, const ZipMember& member);

}  // namespace weir::formats
