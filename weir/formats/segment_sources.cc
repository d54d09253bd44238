#include "weir/formats/segment_sources.h"

#include <algorithm>
#include <utility>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
class SegmentSources final : public RecordingSource {
 public:
  SegmentSources(std::vector<std::unique_ptr<RecordingSource>> sources, RecordingInfo info)
      : sources_(std::move(sources)), info_(std::move(info)) {
    for (const auto& source : sources_) {
      int16_ = int16_ && source->stored_as_int16();
    }
  }

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    source(segment).read(0, first, channels, out);
  }
  bool stored_as_int16() const noexcept override { return int16_; }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    source(segment).read_stored(0, first, channels, out);
  }
  std::int64_t preferred_frames() const noexcept override {
    return sources_.front()->preferred_frames();
  }
  std::size_t cache_bytes(std::int64_t frames) const noexcept override {
    std::size_t most = 0;
    for (const auto& source : sources_) {
      most = std::max(most, source->cache_bytes(frames));
    }
    return most;
  }

 private:
  const RecordingSource& source(std::int64_t segment) const {
    WEIR_CHECK(segment >= 0 && segment < std::ssize(sources_));
    return *sources_[static_cast<std::size_t>(segment)];
  }

  std::vector<std::unique_ptr<RecordingSource>> sources_;
  RecordingInfo info_;
  bool int16_ = true;
};
}  // namespace

std::unique_ptr<RecordingSource> make_segment_sources(
    std::vector<std::unique_ptr<RecordingSource>> sources, RecordingInfo info) {
  WEIR_CHECK(!sources.empty() && sources.size() == info.segments.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    WEIR_CHECK(sources[i]->info().segments.at(0).frames == info.segments[i].frames);
  }
  return std::make_unique<SegmentSources>(std::move(sources), std::move(info));
}

}  // namespace weir::formats
