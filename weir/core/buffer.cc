#include "weir/core/buffer.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "weir/core/error.h"

namespace weir {
namespace {
std::int64_t row_stride(SampleType type, std::int64_t channels) noexcept {
  const std::int64_t stride = padded_channels(channels);
  const auto row_bytes = stride * static_cast<std::int64_t>(size_of(type));
  return row_bytes % 4096 == 0 ? stride + kLanePadding : stride;
}
}  // namespace

void AlignedBytes::Free::operator()(std::byte* data) const noexcept {
  std::free(data);
}  // NOLINT

AlignedBytes::AlignedBytes(std::size_t bytes) : size_(bytes) {
  const std::size_t rounded = (bytes + 63) / 64 * 64;
  auto* data = static_cast<std::byte*>(std::aligned_alloc(64, rounded == 0 ? 64 : rounded));
  if (data == nullptr) {
    throw Error(ErrorCode::out_of_memory, fmt::format("the system refused {} bytes", bytes));
  }
  data_.reset(data);
  std::memset(data, 0, rounded == 0 ? 64 : rounded);
}

Buffer::Buffer(SampleType type, std::int64_t frames, std::int64_t channels)
    : bytes_(bytes_for(type, frames, channels)),
      type_(type),
      frames_(frames),
      channels_(channels),
      stride_(row_stride(type, channels)) {}

std::size_t Buffer::bytes_for(SampleType type, std::int64_t frames,
                              std::int64_t channels) noexcept {
  // Room for one more vector: a view of some last columns may be read in whole vectors.
  return static_cast<std::size_t>(frames * row_stride(type, channels) + kLanePadding) *
         size_of(type);
}

}  // namespace weir
