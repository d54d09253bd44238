#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// Channels of one kind and rate.
struct IntanStream {
  std::string name;  ///< "amplifier", "auxiliary", "supply", "temperature", "analogin", …
  SampleRate rate;
  std::vector<Channel> channels;
  /// Samples of a channel in a data block of a traditional file.
  std::int64_t block_samples = 0;
  StoredType type = StoredType::uint16;
};

/// The header of an RHD or RHS file.
struct IntanHeader {
  bool stimulator = false;  ///< RHS.
  int major = 0;
  int minor = 0;
  SampleRate rate;
  std::int64_t header_bytes = 0;
  std::int64_t block_frames = 128;
  std::int64_t notch_hz = 0;  ///< 0 for off.
  bool dc_saved = false;
  std::vector<std::string> notes;
  /// In the order in which a data block holds them, behind the time stamps.
  std::vector<IntanStream> streams;

  /// Bytes of a data block, time stamps included.
  std::int64_t block_bytes() const noexcept;
};

/// Scaled as in a traditional file: unsigned amplifier samples around 32768.
/// Errors: `corrupt_data`, `unsupported` naming what is wrong.
/// Source: Intan Technologies, "RHD2000/RHS2000 application note: data file formats"; "RHX data
/// file formats".
IntanHeader read_intan_header(const InputFile& file);

/// Whether the bytes are the start of such a file.
bool is_intan(std::span<const std::byte> head) noexcept;

}  // namespace weir::formats
