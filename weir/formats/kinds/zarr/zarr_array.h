#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "weir/formats/input_file.h"
#include "weir/formats/kinds/zarr/zarr_array_metadata.h"

namespace weir::formats {

/// Decoded little-endian samples of one chunk, as long as a whole one.
using ZarrChunk = std::shared_ptr<const std::vector<std::byte>>;

/// An array of a store on disk, read chunk by chunk.
/// Threads: every member may be called from several threads at once.
class ZarrArray {
 public:
  /// Errors: `not_found`, `corrupt_data`, `unsupported` naming the file.
  explicit ZarrArray(const std::filesystem::path& folder);
  ZarrArray(ZarrArray&& other) noexcept;
  ~ZarrArray();

  const ZarrArrayMetadata& metadata() const noexcept { return metadata_; }
  const std::filesystem::path& folder() const noexcept { return folder_; }

  /// The chunk at a place in the grid of chunks; what is missing in the store is the fill value.
  /// Errors: `corrupt_data` naming the file, `io`.
  ZarrChunk chunk(std::int64_t row, std::int64_t column) const;
  /// Files of chunks that are not there.
  std::int64_t missing_files() const;
  std::int64_t files() const noexcept;

 private:
  struct Shard;
  struct Shards;
  std::filesystem::path file_of(std::int64_t row, std::int64_t column) const;
  std::shared_ptr<const Shard> shard(std::int64_t row, std::int64_t column) const;
  std::shared_ptr<const Shard> open_shard(std::int64_t row, std::int64_t column) const;
  ZarrChunk filled() const;

  std::filesystem::path folder_;
  ZarrArrayMetadata metadata_;
  std::unique_ptr<Shards> recent_;
};

}  // namespace weir::formats
