#include "weir/formats/kinds/wfdb/wfdb_signal_file.h"

#include <algorithm>
#include <span>
#include <vector>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
/// Two samples of 12 bits lie in three bytes: the low bytes first and last, both high nibbles
/// between them.
std::int16_t sample_212(const std::byte* triple, bool second) noexcept {
  const auto middle = std::to_integer<unsigned>(triple[1]);
  const unsigned high = second ? middle >> 4 : middle & 15U;
  const unsigned bits = std::to_integer<unsigned>(triple[second ? 2 : 0]) | high << 8;
  return static_cast<std::int16_t>(bits >= 2048 ? static_cast<int>(bits) - 4096
                                                : static_cast<int>(bits));
}
}  // namespace

WfdbSignalFile::WfdbSignalFile(const std::filesystem::path& path, int format,
                               std::int64_t byte_offset, std::int64_t channels)
    : file_(path), format_(format), byte_offset_(byte_offset), channels_(channels) {}

std::int64_t WfdbSignalFile::frames() const noexcept {
  const std::int64_t bytes = std::max(std::int64_t{0}, file_.size() - byte_offset_);
  const std::int64_t samples = format_ == 16 ? bytes / 2 : bytes / 3 * 2 + (bytes % 3 == 2 ? 1 : 0);
  return samples / channels_;
}

std::int64_t WfdbSignalFile::bytes_for(std::int64_t frames) const noexcept {
  const std::int64_t samples = frames * channels_;
  return byte_offset_ + (format_ == 16 ? 2 * samples : samples / 2 * 3 + samples % 2 * 2);
}

std::int16_t WfdbSignalFile::invalid_sample() const noexcept {
  return format_ == 16 ? INT16_MIN : -2048;
}

void WfdbSignalFile::read(std::int64_t first, std::int64_t count, std::int16_t* out) const {
  const std::int64_t from = first * channels_;
  const std::int64_t samples = count * channels_;
  if (format_ == 16) {
    file_.read(byte_offset_ + 2 * from,
               std::as_writable_bytes(std::span(out, static_cast<std::size_t>(samples))));
    return;
  }
  const std::int64_t start = from / 2 * 3;
  const std::int64_t end = bytes_for(first + count) - byte_offset_;
  std::vector<std::byte> bytes(static_cast<std::size_t>(end - start + 1));  // +1: an odd last one.
  file_.read(byte_offset_ + start, std::span(bytes).first(bytes.size() - 1));
  for (std::int64_t i = 0; i < samples; ++i) {
    const std::int64_t at = from % 2 + i;
    out[i] = sample_212(bytes.data() + at / 2 * 3, at % 2 == 1);
  }
}

}  // namespace weir::formats
