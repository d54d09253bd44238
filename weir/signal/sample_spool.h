#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/core/temporary_file.h"

namespace weir::signal {

/// How the frames of a fit are kept: tiles of [channels, tile_frames], all in memory when
/// `memory_bytes` allow, else one in memory and the full ones in a temporary file.
struct SpoolShape {
  std::int64_t channels = 0;
  std::int64_t frames = 0;       ///< At most.
  std::int64_t tile_frames = 1;  ///< All of them when they fit one tile.
  bool in_memory = true;

  SpoolShape(std::int64_t channel_count, std::int64_t most_frames, std::size_t memory_bytes);
  std::int64_t tile_samples() const noexcept { return tile_frames * channels; }
  std::int64_t tiles() const noexcept { return (frames + tile_frames - 1) / tile_frames; }
  std::size_t memory_bytes() const noexcept;
  std::size_t temporary_bytes() const noexcept;
};

/// Stretches of a stream, written as they come and read back channel by channel.
/// Threads: `visit` may be called from several threads, once no `add` is to come.
class SampleSpool {
 public:
  SampleSpool(const SpoolShape& shape, std::filesystem::path folder);

  /// Errors: `io` (temporary file).
  void add(Block<const float> in);
  std::int64_t frames() const noexcept { return full_ * shape_.tile_frames + staged_; }

  using Receive = std::function<void(std::span<const float>)>;
  /// Calls `receive` with the samples of `channel`, in order, piece by piece. Errors: `io`.
  void visit(std::int64_t channel, const Receive& receive) const;

 private:
  void stage(Block<const float> in);
  void next_tile();
  const float* tile(std::int64_t number) const noexcept;

  SpoolShape shape_;
  std::filesystem::path folder_;
  std::vector<AlignedBytes> tiles_;  ///< All of them, or the one being filled.
  std::int64_t staged_ = 0;          ///< Frames in the last tile.
  std::int64_t full_ = 0;            ///< Tiles before it.
  std::optional<TemporaryFile> file_;
};

}  // namespace weir::signal
