#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::formats {

/// Puts the axes of a stored chunk back: stored axis i is axis order[i] of the array.
/// Shape: `shape` is the array's; both have its bytes.
void undo_transpose(std::span<const std::byte> stored, std::span<const std::int64_t> shape,
                    std::span<const std::size_t> order, std::size_t sample_bytes,
                    std::span<std::byte> samples);

}  // namespace weir::formats
