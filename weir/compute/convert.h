#pragma once

#include <cstdint>
#include <span>

#include "weir/core/block.h"

namespace weir::compute {

/// out = float(in) + shift, channel by channel.
/// Shape: `in` and `out` have the same frames and channels, padded rows; `shift` has
/// `padded_channels` entries.
void widen(Block<const std::int16_t> in, std::span<const float> shift, Block<float> out) noexcept;
/// out = in + shift.
void shift(Block<const float> in, std::span<const float> shift, Block<float> out) noexcept;

/// out = in * gain + offset, for packed rows: only `channels` lanes of a row of `out` are written.
/// Shape: `gain` and `offset` have `padded_channels(in.channels())` entries.
void to_physical(Block<const float> in, std::span<const float> gain, std::span<const float> offset,
                 Block<float> out) noexcept;
void to_physical(Block<const std::int16_t> in, std::span<const float> gain,
                 std::span<const float> offset, Block<float> out) noexcept;

/// out = in * scale rounded half to even, clipped to int16, for packed rows as `to_physical`.
/// Returns how many samples were clipped; NaN becomes 0 and counts too.
std::int64_t to_int16(Block<const float> in, std::span<const float> scale,
                      Block<std::int16_t> out) noexcept;

/// What `to_int32` could not keep.
struct Int32Losses {
  std::int64_t clipped = 0;  ///< Beyond int32, or NaN, which becomes 0.
  std::int64_t rounded = 0;  ///< No whole numbers, or of more than the 24 bits a float32 has.
};
/// out = in as whole numbers, rounded half to even and clipped, for packed rows as `to_physical`.
Int32Losses to_int32(Block<const float> in, Block<std::int32_t> out) noexcept;

/// Where a block holds NaN or infinities.
struct NonFiniteSamples {
  std::int64_t count = 0;
  std::int64_t first_frame = -1;
  std::int64_t first_channel = -1;
};
NonFiniteSamples find_non_finite(Block<const float> in) noexcept;

}  // namespace weir::compute
