#include "weir/formats/channel_sources.h"

#include <algorithm>
#include <utility>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
class ChannelSources final : public RecordingSource {
 public:
  ChannelSources(std::vector<std::unique_ptr<RecordingSource>> sources, RecordingInfo info)
      : sources_(std::move(sources)), info_(std::move(info)) {
    for (const auto& source : sources_) {
      int16_ = int16_ && source->stored_as_int16();
    }
  }

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    each(channels, out, [&](const RecordingSource& source, auto column) {
      source.read(segment, first, kOnly, column);
    });
  }
  bool stored_as_int16() const noexcept override { return int16_; }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    each(channels, out, [&](const RecordingSource& source, auto column) {
      source.read_stored(segment, first, kOnly, column);
    });
  }
  std::size_t cache_bytes(std::int64_t frames) const noexcept override {
    return sources_.front()->cache_bytes(frames);
  }

 private:
  static constexpr std::int64_t kFirst = 0;
  static constexpr std::span<const std::int64_t> kOnly{&kFirst, 1};

  template <class T, class Read>
  void each(std::span<const std::int64_t> channels, Block<T> out, Read read) const {
    WEIR_CHECK(out.channels() == std::ssize(channels));
    for (std::size_t i = 0; i < channels.size(); ++i) {
      WEIR_CHECK(channels[i] >= 0 && channels[i] < std::ssize(sources_));
      read(*sources_[static_cast<std::size_t>(channels[i])],
           out.columns(static_cast<std::int64_t>(i), 1));
    }
  }

  std::vector<std::unique_ptr<RecordingSource>> sources_;
  RecordingInfo info_;
  bool int16_ = true;
};
}  // namespace

std::unique_ptr<RecordingSource> make_channel_sources(
    std::vector<std::unique_ptr<RecordingSource>> sources, RecordingInfo info) {
  WEIR_CHECK(!sources.empty() && sources.size() == info.channels.size());
  for (const auto& source : sources) {
    WEIR_CHECK(source->info().segments == info.segments && source->info().channels.size() == 1);
  }
  return std::make_unique<ChannelSources>(std::move(sources), std::move(info));
}

}  // namespace weir::formats
