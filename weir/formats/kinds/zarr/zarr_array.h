#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "weir/formats/input_file.h"
#include "weir/formats/kinds/zarr/zarr_array_metadata.h"

namespace weir::formats {

/// Where a chunk is in the grid of chunks, one number an axis.
using ZarrPlace = std::vector<std::int64_t>;

/// An array of a store on disk, of either version, read chunk by chunk.
/// Threads: every member may be called from several threads at once.
class ZarrArray {
 public:
  /// Errors: `not_found`, `corrupt_data`, `unsupported` naming the file.
  explicit ZarrArray(const std::filesystem::path& folder);
  ZarrArray(ZarrArray&& other) noexcept;
  ~ZarrArray();

  const ZarrArrayMetadata& metadata() const noexcept { return metadata_; }
  const std::filesystem::path& folder() const noexcept { return folder_; }

  /// The little-endian samples of the chunk at a place, as long as a whole one also where the array
  /// ends inside of it; what is missing in the store is the fill value.
  /// Shape: `samples` is [metadata().chunk], in bytes.
  /// Errors: `corrupt_data` naming the file, `io`.
  void read_chunk(const ZarrPlace& place, std::span<std::byte> samples) const;
  /// All values of an array of one or two axes, the last of which one chunk spans.
  /// Errors: as above; `unsupported` for more than `limit` bytes.
  std::vector<std::byte> read_rows(std::int64_t limit) const;
  /// What the indices of the shards that are kept take.
  std::size_t index_bytes() const noexcept;
  /// Files of chunks that are not there.
  std::int64_t missing_files() const;
  std::int64_t files() const noexcept;

 private:
  struct Shard;
  struct Shards;
  std::filesystem::path file_of(const ZarrPlace& place) const;
  std::shared_ptr<const Shard> shard(const ZarrPlace& place) const;
  std::shared_ptr<const Shard> open_shard(const ZarrPlace& place) const;
  void read_index(const InputFile& file, std::vector<std::uint64_t>& index) const;

  std::filesystem::path folder_;
  ZarrArrayMetadata metadata_;
  std::unique_ptr<Shards> recent_;
};

}  // namespace weir::formats
