#include "weir/formats/kinds/zarr/zarr_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kLargestChunk = std::int64_t{1} << 30;
constexpr std::int64_t kSpectrumChunk = std::int64_t{1} << 24;
constexpr std::int64_t kMostChunksPerShard = std::int64_t{1} << 20;

void require_positive(std::string_view field, double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds) || seconds > 1e6) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} s is not between 0 and 1000000 s", field, seconds));
  }
}
}  // namespace

ZarrLayout plan_layout(const RecordingOutput& output) {
  const auto& stream = output.stream;
  require_positive("zarr_chunk_s", output.zarr_chunk_s);
  require_positive("zarr_shard_s", output.zarr_shard_s);
  ZarrLayout layout;
  const auto item = static_cast<std::int64_t>(size_of(stream.type));
  layout.row_bytes = stream.channel_count() * item;
  std::int64_t longest = 1;
  for (const auto& segment : stream.segments) {
    longest = std::max(longest, segment.frames);
  }
  // A spectrum is one chunk, as long as it is not too large for that.
  layout.chunk_frames =
      stream.axis == Axis::time_s
          ? std::max(std::int64_t{1}, stream.rate.nearest_frames(output.zarr_chunk_s))
          : std::clamp(kSpectrumChunk / std::max(layout.row_bytes, std::int64_t{1}),
                       std::int64_t{1}, longest);
  const double ratio = output.zarr_shard_s / output.zarr_chunk_s;
  layout.chunks_per_shard =
      std::max(std::int64_t{1}, static_cast<std::int64_t>(std::llround(std::min(ratio, 1e9))));
  if (layout.chunks_per_shard > kMostChunksPerShard) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("zarr_shard_s: {} chunks in a shard; at most {}",
                            layout.chunks_per_shard, kMostChunksPerShard));
  }
  if (layout.chunk_frames > kLargestChunk / std::max(layout.row_bytes, std::int64_t{1})) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("zarr_chunk_s: {} frames of {} bytes make a chunk of more than 1 GiB",
                            layout.chunk_frames, layout.row_bytes));
  }
  const std::int64_t chunks = (longest + layout.chunk_frames - 1) / layout.chunk_frames;
  layout.buffer_frames = layout.chunk_frames * std::min(chunks, layout.chunks_per_shard);
  layout.codecs = named_codecs(output.codec, output.level, item);
  return layout;
}

std::size_t zarr_writer_bytes(const RecordingOutput& output) {
  const ZarrLayout layout = plan_layout(output);
  const std::int64_t rows = layout.buffer_frames * layout.row_bytes;
  const std::int64_t chunks = layout.buffer_frames / layout.chunk_frames;
  // Incompressible chunks grow by less than 1/128 and 1 KiB; the index takes 16 bytes a chunk.
  return static_cast<std::size_t>(2 * rows + rows / 128 + chunks * 1024 +
                                  layout.chunks_per_shard * 16);
}

ZarrArrayMetadata array_of(const ZarrLayout& layout, const RecordingOutput& output,
                           std::int64_t frames) {
  const std::int64_t channels = output.stream.channel_count();
  ZarrArrayMetadata metadata;
  metadata.shape = {frames, channels};
  metadata.chunk = {layout.chunk_frames, channels};
  metadata.shard = {layout.shard_frames(), channels};
  metadata.sharded = true;
  metadata.type = stored_as(output.stream.type);
  metadata.fill = 0;
  metadata.codecs = layout.codecs;
  metadata.dimension_names = {output.stream.axis == Axis::time_s ? "time" : "frequency", "channel"};
  return metadata;
}

std::string segment_name(std::int64_t index) {
  return fmt::format("traces_seg{}", index);
}

}  // namespace weir::formats
