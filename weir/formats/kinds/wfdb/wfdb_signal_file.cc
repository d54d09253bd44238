#include "weir/formats/kinds/wfdb/wfdb_signal_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/flac/flac_file.h"
#include "weir/formats/kinds/wfdb/wfdb_packing.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kPieceSamples = std::int64_t{32} << 10;
constexpr std::int64_t kMostFrameSamples = std::int64_t{1} << 22;
}  // namespace

WfdbSignalFile::WfdbSignalFile(std::filesystem::path path, int format, std::int64_t byte_offset,
                               std::vector<std::int64_t> samples)
    : path_(std::move(path)),
      size_(InputFile(path_).size()),
      format_(format),
      byte_offset_(byte_offset),
      samples_(std::move(samples)) {
  for (const std::int64_t count : samples_) {
    frame_samples_ += count;
    if (frame_samples_ > kMostFrameSamples) {
      throw Error(ErrorCode::unsupported, fmt::format("{}: frames of more than {} samples",
                                                      path_.string(), kMostFrameSamples));
    }
  }
  if (is_wfdb_flac(format_)) {
    open_as_flac();
  }
}

void WfdbSignalFile::open_as_flac() {
  const FlacInfo info = open_flac(path_.string())->info();
  const bool uneven =
      std::adjacent_find(samples_.begin(), samples_.end(), std::not_equal_to<>()) != samples_.end();
  if (uneven || info.channels != std::ssize(samples_) || info.bits > format_ - 500) {
    throw Error(
        ErrorCode::corrupt_data,
        uneven
            ? fmt::format("{}: signals of a FLAC file have as many samples a frame", path_.string())
            : fmt::format("{}: holds {} channels of {} bits, not {} of at most {}", path_.string(),
                          info.channels, info.bits, samples_.size(), format_ - 500));
  }
  if (info.samples == 0) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: does not tell how many samples it holds", path_.string()));
  }
  flac_samples_ = info.samples;
}

/// Samples lie by time there, each with one of every signal.
void WfdbSignalFile::read_compressed(std::int64_t first, std::int64_t count,
                                     std::span<std::int32_t> out) const {
  const std::int64_t in_frame = samples_.front();
  const std::int64_t width = std::ssize(samples_);
  std::vector<std::int32_t> rows(out.size());
  const auto file = open_flac(path_.string());
  read_flac(*file, path_.string(), byte_offset_ + first * in_frame, rows);
  for (std::int64_t frame = 0; frame < count; ++frame) {
    for (std::int64_t signal = 0; signal < width; ++signal) {
      for (std::int64_t i = 0; i < in_frame; ++i) {
        out[(frame * width + signal) * in_frame + i] =
            rows[(frame * in_frame + i) * width + signal];
      }
    }
  }
}

std::int64_t WfdbSignalFile::frames() const noexcept {
  if (is_wfdb_flac(format_)) {
    return std::max(std::int64_t{0}, flac_samples_ - byte_offset_) / samples_.front();
  }
  const std::int64_t bytes = std::max(std::int64_t{0}, size_ - byte_offset_);
  return wfdb_samples(format_, bytes) / frame_samples_;
}

std::int64_t WfdbSignalFile::bytes_for(std::int64_t frames) const noexcept {
  if (is_wfdb_flac(format_)) {
    return size_;
  }
  std::int64_t samples = 0;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(frames, frame_samples_, &samples) ||
      __builtin_add_overflow(byte_offset_, wfdb_bytes(format_, samples), &bytes)) {
    return INT64_MAX;
  }
  return bytes;
}

std::int64_t WfdbSignalFile::piece_frames() const noexcept {
  return std::max(std::int64_t{1}, kPieceSamples / frame_samples_);
}

std::size_t WfdbSignalFile::held_bytes() const noexcept {
  // Samples as int32 and as they are packed.
  return static_cast<std::size_t>(8 * piece_frames() * frame_samples_ + 16) +
         sums_.size() * sizeof(std::int32_t);
}

void WfdbSignalFile::unpack(const InputFile& file, std::int64_t first, std::int64_t count,
                            std::span<std::int32_t> out) const {
  const WfdbBlock block = wfdb_block(format_);
  const std::int64_t from = first * frame_samples_;
  const std::int64_t start = from / block.samples * block.bytes;
  const std::int64_t end = wfdb_bytes(format_, (first + count) * frame_samples_);
  const auto size = static_cast<std::size_t>(end - start);
  const auto bytes = std::make_unique<std::byte[]>(size + static_cast<std::size_t>(block.bytes));
  file.read(byte_offset_ + start, {bytes.get(), size});
  unpack_wfdb(format_, {bytes.get(), size}, from % block.samples, out);
}

/// Differences become values, signal by signal; `sums` are those of the last frame.
void WfdbSignalFile::add_up(std::span<std::int32_t> frames, std::span<std::int32_t> sums) const {
  for (std::size_t at = 0; at < frames.size();) {
    for (std::size_t signal = 0; signal < samples_.size(); ++signal) {
      auto sum = static_cast<std::uint32_t>(sums[signal]);
      for (std::int64_t i = 0; i < samples_[signal]; ++i, ++at) {
        sum += static_cast<std::uint32_t>(frames[at]);
        frames[at] = static_cast<std::int32_t>(sum);
      }
      sums[signal] = static_cast<std::int32_t>(sum);
    }
  }
}

void WfdbSignalFile::start_from(const std::vector<std::int32_t>& values) {
  WEIR_CHECK(values.size() == samples_.size());
  const InputFile file(path_);
  const std::int64_t piece = piece_frames();
  std::vector<std::int32_t> sums = values;
  std::vector<std::int32_t> rows(static_cast<std::size_t>(piece * frame_samples_));
  for (std::int64_t first = 0; first < frames(); first += piece) {
    sums_.insert(sums_.end(), sums.begin(), sums.end());
    const std::int64_t count = std::min(piece, frames() - first);
    const auto part = std::span(rows).first(static_cast<std::size_t>(count * frame_samples_));
    unpack(file, first, count, part);
    add_up(part, sums);
  }
}

void WfdbSignalFile::read(std::int64_t first, std::int64_t count,
                          std::span<std::int32_t> out) const {
  WEIR_CHECK(std::ssize(out) == count * frame_samples_ && first + count <= frames());
  if (is_wfdb_flac(format_)) {
    read_compressed(first, count, out);
    return;
  }
  const InputFile file(path_);
  if (sums_.empty()) {
    unpack(file, first, count, out);
    return;
  }
  const std::int64_t piece = piece_frames();
  const std::int64_t start = first / piece * piece;
  const auto at = static_cast<std::size_t>(first / piece) * samples_.size();
  std::vector<std::int32_t> sums(sums_.begin() + static_cast<std::ptrdiff_t>(at),
                                 sums_.begin() + static_cast<std::ptrdiff_t>(at + samples_.size()));
  std::vector<std::int32_t> before(static_cast<std::size_t>((first - start) * frame_samples_));
  unpack(file, start, first - start, before);
  add_up(before, sums);
  unpack(file, first, count, out);
  add_up(out, sums);
}

}  // namespace weir::formats
