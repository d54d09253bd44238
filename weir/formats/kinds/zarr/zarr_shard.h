#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::formats {

/// What stands behind the chunks of a shard, which lie one after the other: where each of them is,
/// and a checksum. Chunks past the last are marked as missing.
std::vector<std::byte> shard_index(const std::vector<std::vector<std::byte>>& chunks,
                                   std::int64_t chunks_per_shard);

}  // namespace weir::formats
