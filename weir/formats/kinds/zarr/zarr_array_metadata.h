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

/// The document `zarr.json` of an array of one or two dimensions.
/// Source: Zarr core specification 3.0; sharding codec 1.0.
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
  char separator = '/';
  std::vector<std::string> dimension_names;
  Value attributes = Value::object();

  std::int64_t chunk_samples() const noexcept;
  /// Chunks in one shard, along each axis and in all.
  std::int64_t chunks_per_shard(std::size_t axis) const noexcept {
    return shard[axis] / chunk[axis];
  }
  std::int64_t chunks_per_shard() const noexcept;
  /// Files there would be if none were missing, along one axis.
  std::int64_t shards(std::size_t axis) const noexcept;
};

/// Errors: `corrupt_data` "field: …", `unsupported`.
ZarrArrayMetadata parse_array_metadata(const Value& document);
Value to_value(const ZarrArrayMetadata& metadata);

/// The document `zarr.json` in a folder. Errors: `not_found`, `corrupt_data` naming the file;
/// `unsupported` for version 2.
Value read_zarr_document(const std::filesystem::path& folder);
/// A group's document.
Value group_document(Value attributes);

}  // namespace weir::formats
