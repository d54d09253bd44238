#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/value.h"

namespace weir::formats {

/// One step between samples and stored bytes.
struct ZarrCodec {
  enum class Kind { bytes, zstd, blosc, crc32c };
  Kind kind = Kind::bytes;
  bool big_endian = false;          ///< bytes
  int level = 5;                    ///< zstd, blosc
  std::string compressor = "zstd";  ///< blosc
  int shuffle = 0;                  ///< blosc: none, bytes, bits
  std::int64_t type_bytes = 1;      ///< blosc
};

/// In the order of encoding; `bytes` stands first.
using ZarrCodecs = std::vector<ZarrCodec>;

/// The list a user means by "blosc-zstd-bitshuffle", "blosc-lz4-shuffle", "blosc-zstd-none",
/// "zstd" or "none". Errors: `invalid_spec` "codec: …", "level: …".
ZarrCodecs named_codecs(std::string_view name, int level, std::int64_t type_bytes);

/// Errors: `unsupported` naming the codec, `corrupt_data`.
ZarrCodecs parse_codecs(const Value& list);
Value to_value(const ZarrCodecs& codecs);

/// Deterministic: the same bytes for the same samples, whatever thread runs it.
std::vector<std::byte> encode(const ZarrCodecs& codecs, std::span<const std::byte> samples);

/// Little-endian samples of exactly `samples.size()` bytes.
/// Errors: `corrupt_data` saying what does not fit; `stored` is not trusted.
void decode(const ZarrCodecs& codecs, std::span<const std::byte> stored, std::int64_t type_bytes,
            std::span<std::byte> samples);

}  // namespace weir::formats
