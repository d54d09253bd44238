#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/core/block.h"
#include "weir/op/device_step.h"

namespace weir::signal {

/// The last rows of a stream in device memory, for kernels that look back.
/// Shape: `buffer()` is [rows, channels] of float32, without padding: row k of the segment stands
/// at k mod rows, zeros where none has been.
class KeptRows {
 public:
  KeptRows(const op::DevicePlace& place, std::int64_t rows, std::int64_t channels);

  static std::size_t bytes_for(std::int64_t rows, std::int64_t channels) noexcept {
    return static_cast<std::size_t>(rows * channels) * sizeof(float);
  }

  const compute::Buffer& buffer() const noexcept { return buffer_; }
  std::int64_t rows() const noexcept { return rows_; }
  /// For kernels where no row of a block is wanted: those that are kept are all there is.
  op::DeviceBlock instead_of_block() const;

  /// Keeps the last rows of `in`, whose first is row `fed` of the segment. Enqueues, behind what
  /// still reads the rows before.
  void keep(const op::DeviceBlock& in, std::int64_t fed);

  /// The same rows on the CPU. Shape: [rows, channels]. Waits.
  void hand_over(Block<float> to) const;
  void take_over(Block<const float> from);

 private:
  compute::Queue* queue_;
  compute::Kernel keep_;
  std::int64_t rows_;
  std::int64_t channels_;
  compute::Buffer buffer_;
};

}  // namespace weir::signal
