#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "weir/op/device_step.h"
#include "weir/signal/ops/common_reference/common_reference.h"

namespace weir::signal {

/// Rows handled at once: one per lane when the statistic runs over channels.
inline constexpr std::int64_t kReferenceRows = 32;
/// Words that say which samples of 32 items are members, which targets and which folded.
inline constexpr std::size_t kLaneWords = 96;

/// Up to `kReferenceRows` input rows; pointers past the last row repeat it, so that kernels that
/// work in whole tiles may.
template <class T>
struct ReferenceTile {
  std::array<const T*, kReferenceRows> rows;
  std::size_t frames = 0;
};

/// Scratch for one call of a statistic, in bytes: room for every channel's rows, three times 16
/// bit.
constexpr std::size_t reference_scratch_bytes(std::size_t padded) {
  return padded * kReferenceRows * 3 * sizeof(std::int16_t);
}

/// Whether the members are neighbouring channels.
inline bool is_dense(std::span<const std::uint32_t> members) noexcept {
  return members.back() - members.front() + 1 == members.size();
}

/// The float whose order-preserving integer has these halves, the lower one with its sign bit
/// flipped.
inline float value_of_key(std::int16_t upper, std::int16_t lower) noexcept {
  const auto low = static_cast<std::uint32_t>(static_cast<std::uint16_t>(lower)) ^ 0x8000U;
  const auto key = static_cast<std::int32_t>(
      (static_cast<std::uint32_t>(static_cast<std::uint16_t>(upper)) << 16) | low);
  return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
}

/// The reference of each set in each row.
/// Shape: `references` is [sets, kReferenceRows].
void median_references(const ReferencePlan& plan, const ReferenceTile<std::int16_t>& in,
                       std::byte* scratch, float* references);
void median_references(const ReferencePlan& plan, const ReferenceTile<float>& in,
                       std::byte* scratch, float* references);
void mean_references(const ReferencePlan& plan, const ReferenceTile<std::int16_t>& in,
                     std::byte* scratch, float* references);
void mean_references(const ReferencePlan& plan, const ReferenceTile<float>& in, std::byte* scratch,
                     float* references);

/// out = in + fold - reference / weight, for `frames` rows. With several sets the rows of `out`
/// already hold each channel's reference; with one, `references` holds the rows' references.
void subtract_references(const ReferencePlan& plan, Block<const std::int16_t> in, Block<float> out,
                         const float* references);
void subtract_references(const ReferencePlan& plan, Block<const float> in, Block<float> out,
                         const float* references);

/// Null where a row of so many channels does not fit a group's local memory (over about 10,000): it
/// stays on the CPU.
std::unique_ptr<op::DeviceStep> reference_on(const op::DevicePlace& place,
                                             const ReferencePlan& plan);
/// The same for sets whose members lie within 384 channels each; null where they do not.
std::unique_ptr<op::DeviceStep> turned_median_on(const op::DevicePlace& place,
                                                 const ReferencePlan& plan);
/// The same for one set of at most 512 channels; else null.
std::unique_ptr<op::DeviceStep> held_mean_on(const op::DevicePlace& place,
                                             const ReferencePlan& plan);
bool reference_fits_device(const ReferencePlan& plan) noexcept;
std::size_t reference_device_bytes(const ReferencePlan& plan) noexcept;

}  // namespace weir::signal
