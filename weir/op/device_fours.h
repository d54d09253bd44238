#pragma once

#include <algorithm>

#include "weir/op/device_step.h"

namespace weir::op {

/// How a launch goes over the rows of a block, four channels to an item. A group has a tile of rows
/// that follow each other, and memory serves what stands together best: the first `across` items
/// have a row's fours, the next the row after, and so on, from the tile's first row to its last.
/// Along the second axis groups share rows that are too wide for one. An item does `rows_each`
/// rows.
struct FourTiles {
  FourTiles(std::int64_t channels, std::int64_t rows, std::int64_t rows_each) noexcept {
    constexpr std::int64_t kItems = 256;
    const std::int64_t fours = std::max<std::int64_t>(1, (channels + 3) / 4);
    const std::int64_t parts = (fours + kItems - 1) / kItems;
    across = static_cast<std::int32_t>((fours + parts - 1) / parts);
    const std::int64_t items = kItems / across * across;
    tile_rows = static_cast<std::int32_t>(items / across * rows_each);
    range = {.items = {(rows + tile_rows - 1) / tile_rows * items, parts}, .group = {items, 1}};
  }

  compute::Range range;
  std::int32_t across = 1;
  std::int32_t tile_rows = 1;
};

/// Whether every four channels of both lie where a device loads and stores them at once.
inline std::int32_t in_fours(const DeviceBlock& in, const DeviceBlock& out) noexcept {
  return (in.first | in.stride | out.first | out.stride) % 4 == 0 ? 1 : 0;
}

}  // namespace weir::op
