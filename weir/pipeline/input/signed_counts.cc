#include <algorithm>
#include <cmath>

#include "weir/core/buffer.h"
#include "weir/pipeline/input/signed_counts_internal.h"

namespace weir::pipeline {
namespace {
constexpr float kHalf = 32768;
constexpr std::int64_t kFramesAtOnce = 256;

/// What is left of an offset that stood for the half of the range is rounding, not a value.
double moved_offset(const Channel& channel) {
  const double moved = channel.offset + channel.gain * double{kHalf};
  return std::abs(moved) < 1e-9 * std::abs(channel.gain) ? 0 : moved;
}

class SignedCounts final : public RecordingSource {
 public:
  explicit SignedCounts(std::unique_ptr<RecordingSource> source)
      : source_(std::move(source)), info_(source_->info()) {
    info_.stored = StoredType::int16;
    for (auto& channel : info_.channels) {
      channel.offset = moved_offset(channel);
    }
  }

  const RecordingInfo& info() const noexcept override { return info_; }

  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    source_->read(segment, first, channels, out);
    for (std::int64_t f = 0; f < out.frames(); ++f) {
      float* row = out.row(f);
      std::transform(row, row + out.channels(), row, [](float count) { return count - kHalf; });
    }
  }

  bool stored_as_int16() const noexcept override { return true; }

  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    const Buffer piece(SampleType::float32, std::min(out.frames(), kFramesAtOnce), out.channels());
    for (std::int64_t done = 0; done < out.frames(); done += kFramesAtOnce) {
      const std::int64_t count = std::min(kFramesAtOnce, out.frames() - done);
      const auto counts = piece.first(count).as<float>();
      read(segment, first + done, channels, counts);
      for (std::int64_t f = 0; f < count; ++f) {
        const float* row = counts.row(f);
        std::transform(row, row + out.channels(), out.row(done + f),
                       [](float value) { return static_cast<std::int16_t>(value); });
      }
    }
  }

  std::int64_t preferred_frames() const noexcept override { return source_->preferred_frames(); }
  std::size_t cache_bytes(std::int64_t frames) const noexcept override {
    return source_->cache_bytes(frames) + Buffer::bytes_for(SampleType::float32,
                                                            std::min(frames, kFramesAtOnce),
                                                            info_.channel_count());
  }

 private:
  std::unique_ptr<RecordingSource> source_;
  RecordingInfo info_;
};
}  // namespace

std::unique_ptr<RecordingSource> with_signed_counts(std::unique_ptr<RecordingSource> source) {
  const auto& channels = source->info().channels;
  const bool centred = std::all_of(channels.begin(), channels.end(), [](const Channel& channel) {
    return std::abs(moved_offset(channel)) <= std::abs(channel.offset);
  });
  return source->info().stored == StoredType::uint16 && centred
             ? std::make_unique<SignedCounts>(std::move(source))
             : std::move(source);
}

}  // namespace weir::pipeline
