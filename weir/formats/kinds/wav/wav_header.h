#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// What the chunks in front of the samples say.
struct WavHeader {
  bool large = false;  ///< RF64 or BW64: sizes of 64 bits.
  StoredType type = StoredType::int16;
  std::int64_t channels = 0;
  std::int64_t rate_hz = 0;
  std::int64_t first_byte = 0;  ///< Of the samples.
  std::int64_t frames = 0;      ///< By the header's account.
  std::vector<std::string> warnings;
};

/// Errors: `corrupt_data`; `unsupported` for samples that are not plain numbers.
/// Source: Multimedia Programming Interface 1.0 (RIFF); EBU Tech 3306 (RF64); ITU-R BS.2088 (BW64).
WavHeader read_wav_header(const InputFile& file);

/// The counts' share of full scale: a count of full scale is 1. Unsigned bytes have their zero at
/// 128.
double wav_gain(StoredType type) noexcept;
double wav_offset(StoredType type) noexcept;

/// The chunks in front of `frames` frames of int16, int24, int32 or float32, always of one length
/// for a stream; RF64 where the file is larger than 4 GiB. Errors: `invalid_spec` for more channels
/// than the format can say.
std::vector<std::byte> make_wav_header(StoredType type, std::int64_t channels, std::int64_t rate_hz,
                                       std::int64_t frames);

}  // namespace weir::formats
