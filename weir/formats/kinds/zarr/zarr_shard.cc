#include "weir/formats/kinds/zarr/zarr_shard.h"

#include <span>

#include "weir/core/error.h"
#include "weir/formats/kinds/zarr/crc32c.h"

namespace weir::formats {

std::vector<std::byte> shard_index(const std::vector<std::vector<std::byte>>& chunks,
                                   std::int64_t chunks_per_shard) {
  WEIR_CHECK(std::ssize(chunks) <= chunks_per_shard);
  std::vector<std::uint64_t> index(static_cast<std::size_t>(2 * chunks_per_shard),
                                   ~std::uint64_t{0});
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    index[2 * i] = offset;
    index[2 * i + 1] = chunks[i].size();
    offset += chunks[i].size();
  }
  const auto entries = std::as_bytes(std::span(index));
  std::vector<std::byte> bytes(entries.begin(), entries.end());
  const std::uint32_t checksum = crc32c(entries);
  const auto* tail = reinterpret_cast<const std::byte*>(&checksum);
  bytes.insert(bytes.end(), tail, tail + sizeof checksum);
  return bytes;
}

}  // namespace weir::formats
