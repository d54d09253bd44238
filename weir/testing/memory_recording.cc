#include "weir/testing/memory_recording.h"

#include "weir/core/error.h"

namespace weir::testing {
namespace {
template <class T>
void copy(const std::vector<float>& counts, std::int64_t width, std::int64_t first,
          std::span<const std::int64_t> channels, Block<T> out) {
  for (std::int64_t f = 0; f < out.frames(); ++f) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      out(f, static_cast<std::int64_t>(c)) =
          static_cast<T>(counts.at(static_cast<std::size_t>((first + f) * width + channels[c])));
    }
  }
}
}  // namespace

MemoryRecording::MemoryRecording(RecordingInfo info, std::vector<std::vector<float>> counts)
    : info_(std::move(info)), counts_(std::move(counts)) {
  WEIR_CHECK(counts_.size() == info_.segments.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    WEIR_CHECK(std::ssize(counts_[i]) == info_.segments[i].frames * info_.channel_count());
  }
}

void MemoryRecording::read(std::int64_t segment, std::int64_t first,
                           std::span<const std::int64_t> channels, Block<float> out) const {
  copy(counts_.at(static_cast<std::size_t>(segment)), info_.channel_count(), first, channels, out);
}

void MemoryRecording::read_stored(std::int64_t segment, std::int64_t first,
                                  std::span<const std::int64_t> channels,
                                  Block<std::int16_t> out) const {
  WEIR_CHECK(stored_as_int16());
  copy(counts_.at(static_cast<std::size_t>(segment)), info_.channel_count(), first, channels, out);
}

RecordingInfo make_recording_info(double rate_hz, std::int64_t channels, std::int64_t frames,
                                  StoredType stored) {
  RecordingInfo info;
  info.name = "memory.bin";
  info.format = "memory";
  info.rate = SampleRate::from_hz(rate_hz);
  info.channels = make_channels(channels, 1, 0, "uV");
  info.segments = {Segment{.frames = frames, .start_s = Rational(0)}};
  info.stored = stored;
  return info;
}

std::unique_ptr<RecordingSource> counting_recording(RecordingInfo info, std::int64_t base) {
  std::vector<std::vector<float>> counts;
  const std::int64_t width = info.channel_count();
  for (std::int64_t s = 0; s < std::ssize(info.segments); ++s) {
    auto& segment = counts.emplace_back();
    segment.reserve(
        static_cast<std::size_t>(info.segments[static_cast<std::size_t>(s)].frames * width));
    for (std::int64_t f = 0; f < info.segments[static_cast<std::size_t>(s)].frames; ++f) {
      for (std::int64_t c = 0; c < width; ++c) {
        segment.push_back(
            static_cast<float>(static_cast<std::int16_t>(1000 * s + 10 * f + c + base)));
      }
    }
  }
  return std::make_unique<MemoryRecording>(std::move(info), std::move(counts));
}

}  // namespace weir::testing
