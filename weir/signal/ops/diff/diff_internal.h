#pragma once

#include <cstdint>
#include <memory>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/diff/diff.h"

namespace weir::signal {

/// The last n rows of a segment: row k stands at k mod n.
struct DiffState final : op::State {
  DiffState(std::int64_t n, std::int64_t channel_count);
  /// Row `row` of the segment, at most n before `fed`; null where the start's rule is zero.
  const float* row(std::int64_t row, Block<const float> in, DiffStart rule) const noexcept;

  std::int64_t channels;
  std::int64_t fed = 0;
  Buffer past;
  Buffer previous;  ///< While a block runs: row k is the k-th difference of the frame before.
};

/// Differences of differences, one after the other as NumPy takes them. Shape: `previous` has a row
/// for each: the k-th difference of the frame before; kept up to date.
void diff_rows(Block<const float> in, Block<float> previous, Block<float> out);

std::unique_ptr<op::DeviceStep> diff_on(const op::DevicePlace& place, const Diff& params,
                                        std::int64_t channels);

}  // namespace weir::signal
