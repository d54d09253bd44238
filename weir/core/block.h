#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "weir/core/stream.h"

namespace weir {

/// Rows are padded to this many samples, so that kernels work in whole vectors and need no scalar
/// tail.
inline constexpr std::int64_t kLanePadding = 32;

constexpr std::int64_t padded_channels(std::int64_t channels) noexcept {
  return (channels + kLanePadding - 1) / kLanePadding * kLanePadding;
}

/// A borrowed stretch of one stream.
/// Shape:  [frames, channels], frame-major; row f starts at data + f * stride.
/// Range:  between two steps, lanes from `channels` up to the next multiple of `kLanePadding` may
/// be read and written;
///         their content means nothing.
/// Units:  those of the stream that handed it out; a block does not carry them.
/// Lives:  until the call it was passed to returns. Copy to keep.
template <class T>
class Block {
 public:
  Block() = default;
  Block(T* data, std::int64_t frames, std::int64_t channels, std::int64_t stride) noexcept
      : data_(data), frames_(frames), channels_(channels), stride_(stride) {}

  T* row(std::int64_t frame) const noexcept { return data_ + frame * stride_; }
  T& operator()(std::int64_t frame, std::int64_t channel) const noexcept {
    assert(frame >= 0 && frame < frames_ && channel >= 0 && channel < channels_);
    return data_[frame * stride_ + channel];
  }
  T* data() const noexcept { return data_; }
  std::int64_t frames() const noexcept { return frames_; }
  std::int64_t channels() const noexcept { return channels_; }
  std::int64_t stride() const noexcept { return stride_; }
  Block slice(std::int64_t first, std::int64_t count) const noexcept {
    return {data_ + first * stride_, count, channels_, stride_};
  }
  Block columns(std::int64_t first, std::int64_t count) const noexcept {
    return {data_ + first, frames_, count, stride_};
  }
  operator Block<const T>() const noexcept  // NOLINT: adding const loses nothing
    requires(!std::is_const_v<T>)
  {
    return {data_, frames_, channels_, stride_};
  }

 private:
  T* data_ = nullptr;
  std::int64_t frames_ = 0;
  std::int64_t channels_ = 0;
  std::int64_t stride_ = 0;
};

/// A block whose sample type is known at run time only.
/// Shape, Range, Lives: as `Block`; `stride` counts samples, not bytes.
class AnyBlock {
 public:
  AnyBlock() = default;
  AnyBlock(SampleType type, void* data, std::int64_t frames, std::int64_t channels,
           std::int64_t stride) noexcept
      : data_(data), frames_(frames), channels_(channels), stride_(stride), type_(type) {}
  AnyBlock(Block<float> b) noexcept  // NOLINT: a typed block is a block
      : AnyBlock(SampleType::float32, b.data(), b.frames(), b.channels(), b.stride()) {}
  AnyBlock(Block<std::int16_t> b) noexcept  // NOLINT
      : AnyBlock(SampleType::int16, b.data(), b.frames(), b.channels(), b.stride()) {}

  SampleType type() const noexcept { return type_; }
  std::int64_t frames() const noexcept { return frames_; }
  std::int64_t channels() const noexcept { return channels_; }
  std::int64_t stride() const noexcept { return stride_; }
  void* data() const noexcept { return data_; }

  /// The typed view. The caller knows the type from planning; asserted.
  template <class T>
  Block<T> as() const noexcept {
    assert(sizeof(T) == size_of(type_));
    return {static_cast<T*>(data_), frames_, channels_, stride_};
  }
  AnyBlock slice(std::int64_t first, std::int64_t count) const noexcept {
    return {type_, at(first * stride_), count, channels_, stride_};
  }
  AnyBlock columns(std::int64_t first, std::int64_t count) const noexcept {
    return {type_, at(first), frames_, count, stride_};
  }

 private:
  void* at(std::int64_t samples) const noexcept {
    return static_cast<std::byte*>(data_) + samples * static_cast<std::int64_t>(size_of(type_));
  }
  void* data_ = nullptr;
  std::int64_t frames_ = 0;
  std::int64_t channels_ = 0;
  std::int64_t stride_ = 0;
  SampleType type_ = SampleType::float32;
};

}  // namespace weir
