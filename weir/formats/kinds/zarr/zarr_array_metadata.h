#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/value.h"
#include "weir/formats/kinds/zarr/zarr_codec.h"

namespace weir::formats {

/// What the documents of an array say, of either version.
/// Source: Zarr core specification 3.0; sharding codec 1.0; Zarr storage specification 2.
struct ZarrArrayMetadata {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> chunk;  ///< What is compressed at once.
  std::vector<std::int64_t> shard;  ///< What one file holds; equals `chunk` without sharding.
  bool sharded = false;
  StoredType type = StoredType::int16;
  std::optional<double> fill;  ///< Empty when the document leaves it undefined.
  ZarrCodecs codecs{{}};
  ZarrCodecs index_codecs{{}, {.kind = ZarrCodec::Kind::crc32c}};
  bool index_at_end = true;
  bool key_prefix = true;  ///< Names of chunk files start with "c".
  char separator = '/';
  std::size_t key_axes = 2;  ///< Axes in the names of chunk files.
  std::vector<std::string> dimension_names;
  Value attributes = Value::object();

  std::int64_t chunk_samples() const noexcept;
  std::int64_t chunk_bytes() const;
  /// Chunks in one shard, along each axis and in all.
  std::int64_t chunks_per_shard(std::size_t axis) const noexcept {
    return shard[axis] / chunk[axis];
  }
  std::int64_t chunks_per_shard() const noexcept;
  /// Files there would be if none were missing, along one axis.
  std::int64_t shards(std::size_t axis) const noexcept;
};

/// The document `zarr.json`. Errors: `corrupt_data` "field: …", `unsupported`.
ZarrArrayMetadata parse_array_metadata(const Value& document);
Value to_value(const ZarrArrayMetadata& metadata);
/// The documents `.zarray` and `.zattrs` of version 2. Errors: as above. Text of fixed width is
/// read as one more axis: of code points as uint32 for "<U8", of bytes for "|S8".
ZarrArrayMetadata parse_v2_metadata(const Value& document, const Value& attributes);

/// A number, or one of the words JSON has no number for; empty for null. Errors: `unsupported`.
std::optional<double> parse_zarr_fill(const Value& value, StoredType type);
/// So that a document cannot make us allocate what no sensible file has. Errors: `unsupported`,
/// `corrupt_data` for axes that do not fit each other.
void check_zarr_sizes(const ZarrArrayMetadata& metadata);

/// A group's document.
Value group_document(Value attributes);

}  // namespace weir::formats
