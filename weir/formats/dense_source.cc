#include "weir/formats/dense_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
/// A piece small enough for the L2 cache, large enough for one system call to cost nothing.
constexpr std::int64_t kPieceBytes = std::int64_t{256} << 10;
constexpr std::int64_t kColumnsAtOnce = 32;

std::unique_ptr<std::byte[]> scratch_of(std::int64_t bytes) {
  return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}

template <class T>
constexpr StoredType kNativeType = sizeof(T) == 2 ? StoredType::int16 : StoredType::float32;

class DenseSource final : public RecordingSource {
 public:
  DenseSource(InputFile file, const DenseLayout& layout, RecordingInfo info)
      : file_(std::move(file)),
        layout_(layout),
        info_(std::move(info)),
        sample_bytes_(stored_bytes(info_.stored)),
        row_bytes_(sample_bytes_ * info_.channel_count()) {
    std::int64_t first = 0;
    for (const auto& segment : info_.segments) {
      starts_.push_back(first);
      first += segment.frames;
    }
  }

  const RecordingInfo& info() const noexcept override { return info_; }

  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    read_as(segment, first, channels, out);
  }

  bool stored_as_int16() const noexcept override { return fits_int16(info_.stored); }

  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    WEIR_CHECK(stored_as_int16());
    read_as(segment, first, channels, out);
  }

  std::size_t cache_bytes(std::int64_t frames) const noexcept override {
    const std::int64_t piece = std::max(kPieceBytes, row_bytes_);
    return static_cast<std::size_t>(
        std::min(piece, std::max(frames, std::int64_t{1}) * row_bytes_));
  }

 private:
  template <class T>
  void read_as(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
               Block<T> out) const {
    const auto index = static_cast<std::size_t>(segment);
    WEIR_CHECK(index < starts_.size() && first >= 0 &&
               first <= info_.segments[index].frames - out.frames());
    WEIR_CHECK(out.channels() == static_cast<std::int64_t>(channels.size()));
    if (out.frames() == 0 || channels.empty()) {
      return;
    }
    if (info_.order == SampleOrder::time_major) {
      read_rows(starts_[index] + first, channels, out);
    } else {
      read_columns(starts_[index] + first, channels, out);
    }
  }

  /// Whether file and block have the same bytes.
  template <class T>
  bool same_bytes(std::span<const std::int64_t> channels, Block<T> out) const noexcept {
    if (info_.stored != kNativeType<T> || layout_.big_endian || out.stride() != out.channels() ||
        out.channels() != info_.channel_count()) {
      return false;
    }
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i] != static_cast<std::int64_t>(i)) {
        return false;
      }
    }
    return true;
  }

  template <class T>
  void read_rows(std::int64_t frame, std::span<const std::int64_t> channels, Block<T> out) const {
    const std::int64_t from = layout_.first_byte + frame * row_bytes_;
    if (same_bytes(channels, out)) {
      file_.read(from, std::as_writable_bytes(std::span(
                           out.data(), static_cast<std::size_t>(out.frames() * out.channels()))));
      return;
    }
    const std::int64_t rows =
        std::min(out.frames(), std::max(std::int64_t{1}, kPieceBytes / row_bytes_));
    const auto scratch = scratch_of(rows * row_bytes_);
    for (std::int64_t done = 0; done < out.frames(); done += rows) {
      const std::int64_t count = std::min(rows, out.frames() - done);
      load(from + done * row_bytes_, scratch.get(), count * row_bytes_);
      unpack_rows(info_.stored, scratch.get(), info_.channel_count(), channels,
                  out.slice(done, count));
    }
  }

  template <class T>
  void read_columns(std::int64_t frame, std::span<const std::int64_t> channels,
                    Block<T> out) const {
    const std::int64_t group = std::min(out.channels(), kColumnsAtOnce);
    const std::int64_t stretch =
        std::min(out.frames(), std::max(std::int64_t{64}, 4 * kPieceBytes / (group * 8)));
    const auto scratch = scratch_of(group * stretch * sample_bytes_);
    for (std::int64_t c = 0; c < out.channels(); c += group) {
      const std::int64_t width = std::min(group, out.channels() - c);
      for (std::int64_t f = 0; f < out.frames(); f += stretch) {
        const std::int64_t count = std::min(stretch, out.frames() - f);
        for (std::int64_t i = 0; i < width; ++i) {
          const std::int64_t sample = channels[c + i] * layout_.channel_stride + frame + f;
          load(layout_.first_byte + sample * sample_bytes_,
               scratch.get() + i * count * sample_bytes_, count * sample_bytes_);
        }
        unpack_columns(info_.stored, scratch.get(), count, out.slice(f, count).columns(c, width));
      }
    }
  }

  void load(std::int64_t from, std::byte* to, std::int64_t bytes) const {
    const std::span target(to, static_cast<std::size_t>(bytes));
    file_.read(from, target);
    if (layout_.big_endian) {
      swap_byte_order(target, sample_bytes_);
    }
  }

  InputFile file_;
  DenseLayout layout_;
  RecordingInfo info_;
  std::int64_t sample_bytes_;
  std::int64_t row_bytes_;
  std::vector<std::int64_t> starts_;  ///< Of each segment, in frames of the file.
};

/// a * b, or the largest number there is: a file never has that many bytes.
std::int64_t product_or_most(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/// Whole frames in `bytes`. In a channel-major file only the last channel is cut short.
std::int64_t whole_frames(std::int64_t bytes, std::int64_t sample_bytes, SampleOrder order,
                          std::int64_t channels, std::int64_t channel_stride) {
  const std::int64_t samples = std::max(std::int64_t{0}, bytes) / sample_bytes;
  if (order == SampleOrder::time_major) {
    return samples / channels;
  }
  const std::int64_t before = product_or_most(channels - 1, channel_stride);
  return before >= samples ? 0 : std::min(channel_stride, samples - before);
}

/// The segments shortened to `frames` in all; later ones lose their frames first.
void cut_segments(std::vector<Segment>& segments, std::int64_t frames) {
  for (auto& segment : segments) {
    segment.frames = std::min(segment.frames, frames);
    frames -= segment.frames;
  }
}

/// One sentence for each way in which the file's size is not what it claims.
void compare_sizes(const InputFile& file, std::int64_t available, std::int64_t claimed_bytes,
                   RecordingInfo& info, std::int64_t whole) {
  const std::string shown = file.path().string();
  const std::int64_t claimed = info.total_frames();
  if (whole < claimed) {
    cut_segments(info.segments, whole);
    const bool countable = claimed_bytes < INT64_MAX;
    info.warnings.push_back(fmt::format(
        "{}: truncated: holds {} bytes of samples where {} frames need {}; opened to the last "
        "whole frame, {} frames",
        shown, grouped(available), grouped(claimed),
        countable ? grouped(claimed_bytes) : "more than any file has", grouped(whole)));
  } else if (available > claimed_bytes) {
    info.warnings.push_back(fmt::format(
        "{}: holds {} bytes of samples where {} frames need {}; the last {} are ignored", shown,
        grouped(available), grouped(claimed), grouped(claimed_bytes),
        grouped(available - claimed_bytes)));
  }
}
}  // namespace

std::int64_t checked_channels(std::int64_t channels) {
  if (channels < 1 || channels > kMaxChannels) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{} is not between 1 and {}", channels, kMaxChannels));
  }
  return channels;
}

std::unique_ptr<RecordingSource> make_dense_source(InputFile file, const DenseLayout& layout,
                                                   RecordingInfo info) {
  const std::int64_t sample_bytes = stored_bytes(info.stored);
  const std::int64_t channels = info.channel_count();
  WEIR_CHECK(channels >= 1 && channels <= kMaxChannels && layout.first_byte >= 0);
  DenseLayout fitted = layout;
  fitted.end_byte = std::min(layout.end_byte, file.size());
  if (layout.first_byte > fitted.end_byte) {
    info.warnings.push_back(fmt::format("{}: holds {} bytes, less than its header of {}",
                                        file.path().string(), grouped(file.size()),
                                        grouped(layout.first_byte)));
  }
  const std::int64_t available =
      std::max(std::int64_t{0}, fitted.end_byte - std::min(layout.first_byte, fitted.end_byte));
  const std::int64_t row_bytes = sample_bytes * channels;
  if (info.segments.empty()) {
    info.segments.push_back(Segment{.frames = available / row_bytes, .start_s = {}});
  }
  const std::int64_t claimed = info.total_frames();
  fitted.channel_stride = claimed;
  compare_sizes(file, available, product_or_most(claimed, row_bytes), info,
                whole_frames(available, sample_bytes, info.order, channels, claimed));
  return std::make_unique<DenseSource>(std::move(file), fitted, std::move(info));
}

}  // namespace weir::formats
