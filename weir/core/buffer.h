#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "weir/core/block.h"

namespace weir {

/// Bytes on a 64-byte boundary, zeroed at creation.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  /// Errors: `out_of_memory`.
  explicit AlignedBytes(std::size_t bytes);
  std::byte* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }

 private:
  struct Free {
    void operator()(std::byte* data) const noexcept;
  };
  std::unique_ptr<std::byte[], Free> data_;
  std::size_t size_ = 0;
};

/// An owned, padded block: room for `frames` rows of one sample type.
/// Shape: [frames, channels]; rows are padded as `Block` says, and the row stride avoids a multiple
/// of 4096 bytes,
///        which would put every row in the same cache set.
class Buffer {
 public:
  Buffer() = default;
  Buffer(SampleType type, std::int64_t frames, std::int64_t channels);
  AnyBlock block() const noexcept { return {type_, bytes_.data(), frames_, channels_, stride_}; }
  AnyBlock first(std::int64_t frames) const noexcept { return block().slice(0, frames); }
  template <class T>
  Block<T> as() const noexcept {
    return block().as<T>();
  }
  std::int64_t frames() const noexcept { return frames_; }
  std::size_t bytes() const noexcept { return bytes_.size(); }
  /// What a buffer of this shape will claim.
  static std::size_t bytes_for(SampleType type, std::int64_t frames,
                               std::int64_t channels) noexcept;

 private:
  AlignedBytes bytes_;
  SampleType type_ = SampleType::float32;
  std::int64_t frames_ = 0;
  std::int64_t channels_ = 0;
  std::int64_t stride_ = 0;
};

}  // namespace weir
