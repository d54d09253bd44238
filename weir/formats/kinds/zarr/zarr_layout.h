#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "weir/formats/kinds/zarr/zarr_array_metadata.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// How a recording will lie in its store: chunks of all channels, whole shards.
/// Shape: [time, channel].
struct ZarrLayout {
  std::int64_t row_bytes = 0;
  std::int64_t chunk_frames = 1;
  std::int64_t chunks_per_shard = 1;
  std::int64_t buffer_frames = 1;  ///< The longest stretch of one shard that will hold samples.
  ZarrCodecs codecs;

  std::int64_t shard_frames() const noexcept { return chunk_frames * chunks_per_shard; }
};

/// Errors: `invalid_spec` "zarr_chunk_s: …", "zarr_shard_s: …", "codec: …", "level: …".
ZarrLayout plan_layout(const RecordingOutput& output);

/// Rows of one shard, the samples and what encoding them makes.
std::size_t zarr_writer_bytes(const RecordingOutput& output);

/// The metadata of a segment with `frames` frames.
ZarrArrayMetadata array_of(const ZarrLayout& layout, const RecordingOutput& output,
                           std::int64_t frames);

/// "traces_seg0".
std::string segment_name(std::int64_t index);

}  // namespace weir::formats
