#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/core/block.h"

namespace weir::signal {

/// A long filter by Fourier transforms, channels in lanes. One complex transform of `size` rows
/// carries two stretches of the same channel that follow each other: the first as real, the second
/// as imaginary parts, which taps without imaginary parts keep apart.
struct OverlapSave {
  std::int64_t size = 0;             ///< Rows of a transform, a power of two; 0: none.
  std::int64_t block = 0;            ///< Outputs of each of the two stretches.
  std::vector<float> twiddles = {};  ///< Of the stages from `size` down by fours.
  std::vector<float> spectrum =
      {};  ///< Of the taps, real and imaginary part, in the stages' order.
};

/// The transform's size for so many taps that takes the least time an output.
std::int64_t overlap_save_size(std::int64_t taps) noexcept;

/// Taps in the order of the rows they meet.
/// Source: Oppenheim & Schafer, 3rd ed., 8.7.3 (overlap-save); Gentleman & Sande 1966 (the stages).
OverlapSave plan_overlap_save(std::span<const float> taps, std::int64_t size);

/// Lanes of a vector of samples, at most half of `kLanePadding`, and the floats that a call of
/// `overlap_save_rows` needs to work in.
std::int64_t overlap_save_floats(const OverlapSave& plan) noexcept;

/// The outputs of every row of `out`, at most 2 * block; output k uses the rows of `in` from k on.
/// Rows past those of `in` are taken as zeros. Lanes in which a sample is not finite, or so large
/// that its transform may not be, are not made: they come back marked in `left_out`, one entry for
/// each lane of `out` up to the next multiple of `kLanePadding`.
/// Returns whether there is any such lane.
bool overlap_save_rows(const OverlapSave& plan, Block<const float> in, Block<float> out,
                       float* scratch, std::uint8_t* left_out);

}  // namespace weir::signal
