#pragma once

#include <array>
#include <cstdint>

#include "weir/compute/device.h"
#include "weir/core/buffer.h"
#include "weir/pipeline/plan/size_input.h"

namespace weir::pipeline {

/// Where chunks of the input are read into: one room in use, one ready, one being read. Made once
/// for an input, whatever the number of its segments.
class ChunkRing {
 public:
  static constexpr std::size_t kRooms = kReadAhead;

  /// For steps on the CPU.
  ChunkRing(SampleType type, std::int64_t frames, std::int64_t channels);
  /// In memory that `device` uploads from at the link's speed. Rows are packed where `packed`: no
  /// step on the CPU may see them then.
  /// Errors: `device` when the driver refuses; `out_of_memory`.
  ChunkRing(SampleType type, std::int64_t frames, std::int64_t channels, bool packed,
            compute::Device& device);

  std::int64_t frames() const noexcept { return rooms_.front().frames(); }
  AnyBlock room(std::size_t index) const noexcept { return rooms_[index]; }
  /// What room `index` is the start of; null for the CPU's.
  const compute::HostMemory* memory(std::size_t index) const noexcept {
    return pinned_ ? &memory_[index] : nullptr;
  }

 private:
  bool pinned_ = false;
  std::array<Buffer, kRooms> buffers_;
  std::array<compute::HostMemory, kRooms> memory_;
  std::array<AnyBlock, kRooms> rooms_;
};

}  // namespace weir::pipeline
