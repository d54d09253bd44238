#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "weir/formats/kinds/zarr/zarr_codec.h"

namespace weir::formats {

/// One codec of bytes that is no checksum. Range: zstd or blosc.
std::vector<std::byte> compress(const ZarrCodec& codec, std::span<const std::byte> in);

/// Fills `out` from its front; tells how much of it. Errors: `corrupt_data`.
std::size_t decompress(const ZarrCodec& codec, std::span<const std::byte> in,
                       std::span<std::byte> out);

/// Errors: `corrupt_data` with both sums.
std::span<const std::byte> without_checksum(std::span<const std::byte> bytes);
std::vector<std::byte> with_checksum(std::vector<std::byte> bytes);

}  // namespace weir::formats
