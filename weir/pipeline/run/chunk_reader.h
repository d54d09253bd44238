#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "weir/core/block.h"
#include "weir/pipeline/input/input.h"
#include "weir/pipeline/run/chunk_ring.h"

namespace weir::pipeline {

/// A stretch of the input as it was read.
struct Chunk {
  std::int64_t segment = 0;
  std::int64_t first_frame = 0;
  AnyBlock block;                               ///< Lives: until the next call of `next`.
  const compute::HostMemory* memory = nullptr;  ///< What the block is the start of, where a device
                                                ///< copies from it.
};

/// Reads an input chunk by chunk, ahead of its user, on a thread of its own.
class ChunkReader {
 public:
  /// Starts at a place of the input: frame `first_frame` of `segment`. `node` names the reader in
  /// errors. Lives: as short as `ring`, which has one reader at a time.
  ChunkReader(const Input& input, const std::string& node, const ChunkRing& ring,
              std::int64_t segment, std::int64_t first_frame);
  ~ChunkReader();
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;

  /// The next chunk of this segment; nothing at its end. Chunks never cross segments.
  /// Errors: the source's own; `corrupt_data` for NaN and infinities unless the input passes or
  /// fills them.
  std::optional<Chunk> next();
  /// Samples that were not finite and were replaced.
  std::int64_t filled() const noexcept;
  double waited_s() const noexcept;

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace weir::pipeline
