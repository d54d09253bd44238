#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/value.h"

namespace weir::formats {

/// One step between samples and stored bytes.
struct ZarrCodec {
  enum class Kind { transpose, delta, bytes, gzip, zlib, zstd, blosc, crc32c };
  Kind kind = Kind::bytes;
  std::vector<std::size_t> order = {};  ///< transpose: stored axis i is axis order[i] of the array
  bool big_endian = false;              ///< bytes
  int level = 5;                        ///< zstd, blosc
  std::string compressor = "zstd";      ///< blosc
  int shuffle = 0;                      ///< blosc: none, bytes, bits
  std::int64_t type_bytes = 1;          ///< blosc
};

/// In the order of encoding: those of arrays, one `bytes`, those of bytes.
using ZarrCodecs = std::vector<ZarrCodec>;

/// The list a user means by "blosc-zstd-bitshuffle", "blosc-lz4-shuffle", "blosc-zstd-none",
/// "zstd" or "none". Errors: `invalid_spec` "codec: …", "level: …".
ZarrCodecs named_codecs(std::string_view name, int level, std::int64_t type_bytes);

/// Of version 3. Errors: `unsupported` naming the codec, `corrupt_data`.
ZarrCodecs parse_codecs(const Value& list);
Value to_value(const ZarrCodecs& codecs);
/// What version 2 says with `compressor` and `filters` (null for none) of an array of type `dtype`.
/// Errors: as above.
ZarrCodecs parse_v2_codecs(const Value& compressor, const Value& filters, std::string_view dtype);

/// Deterministic: the same bytes for the same samples, whatever thread runs it.
std::vector<std::byte> encode(const ZarrCodecs& codecs, std::span<const std::byte> samples);

/// What a chunk holds: samples of a type in an array of this shape.
struct ZarrChunkForm {
  StoredType type = StoredType::int16;
  std::span<const std::int64_t> shape;
};

/// Little-endian samples of exactly `samples.size()` bytes, in the order of the array's axes.
/// Errors: `corrupt_data` saying what does not fit; `stored` is not trusted.
void decode(const ZarrCodecs& codecs, std::span<const std::byte> stored, const ZarrChunkForm& form,
            std::span<std::byte> samples);
/// How many buffers as large as the samples `decode` holds beside them.
std::size_t decode_buffers(const ZarrCodecs& codecs) noexcept;

}  // namespace weir::formats
