#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weir/core/recording.h"

namespace weir::formats {

/// How a segment is cut into chunks, each of which is decoded at once.
struct ChunkGrid {
  std::int64_t frames = 1;    ///< Of a chunk, the longest there is.
  std::int64_t channels = 1;  ///< Of a chunk.
  /// How samples lie in a chunk: [frames, channels], or [channels, frames].
  SampleOrder order = SampleOrder::time_major;
  /// The frame at which each chunk starts, and the end; empty where all are equally long.
  std::vector<std::int64_t> bounds = {};

  std::int64_t chunk_samples() const noexcept { return frames * channels; }
};

/// Where chunks come from.
/// Threads: called from several threads at once.
class ChunkDecoder {
 public:
  virtual ~ChunkDecoder() = default;
  /// The little-endian samples of a chunk of `RecordingInfo::stored`: `row` counts along time,
  /// `column` along channels.
  /// Shape: `samples` has room for a whole chunk, also where the segment ends inside of it.
  /// Errors: `corrupt_data` naming file and place, `io`.
  virtual void decode(std::int64_t segment, std::int64_t row, std::int64_t column,
                      std::span<std::byte> samples) const = 0;
  /// What decoding one chunk holds beside its samples.
  virtual std::size_t scratch_bytes() const noexcept = 0;
  /// What it holds all the while: indices.
  virtual std::size_t held_bytes() const noexcept = 0;
};

/// A recording of chunks; `grids[i]` is that of segment i. Chunks are decoded in parallel in the
/// caller's oneTBB arena, those at the borders of a read are kept for the next one.
std::unique_ptr<RecordingSource> make_chunk_source(std::unique_ptr<ChunkDecoder> decoder,
                                                   std::vector<ChunkGrid> grids,
                                                   RecordingInfo info);

}  // namespace weir::formats
