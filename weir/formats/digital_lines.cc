#include "weir/formats/digital_lines.h"

#include <algorithm>
#include <mutex>

#include "weir/core/buffer.h"
#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kStretchFrames = std::int64_t{1} << 16;
/// Samples of all channels together that are read to count edges when a stream is opened.
constexpr std::int64_t kShortSamples = std::int64_t{1} << 23;

std::uint32_t bits_of(float word) noexcept {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(word));
}
std::uint32_t bits_of(std::int16_t word) noexcept {
  return static_cast<std::uint16_t>(word);
}

class DigitalLines final : public EventSource {
 public:
  DigitalLines(std::string name, std::shared_ptr<const RecordingSource> recording,
               std::vector<DigitalLine> lines)
      : recording_(std::move(recording)),
        info_(describe_lines(std::move(name), recording_->info(), lines)),
        lines_(std::move(lines)) {
    for (auto& line : lines_) {
      auto found = std::find(words_.begin(), words_.end(), line.channel);
      if (found == words_.end()) {
        found = words_.insert(words_.end(), line.channel);
      }
      columns_.push_back(found - words_.begin());
    }
    std::int64_t frames = 0;
    for (const auto& segment : info_.table.stream.segments) {
      for (std::int64_t first = 0; first < segment.frames; first += kStretchFrames) {
        stretches_.push_back(
            {segment.index, first, std::min(kStretchFrames, segment.frames - first)});
      }
      frames += segment.frames;
    }
    if (frames <= kShortSamples / std::max<std::int64_t>(1, recording_->info().channel_count())) {
      count_all();
    }
  }

  const EventStreamInfo& info() const noexcept override { return info_; }

  void read(std::int64_t first, std::int64_t count, EventList& events) const override {
    WEIR_CHECK(first >= 0 && count >= 0);
    auto [at, row] = known_before(first);
    std::int64_t left = count;
    for (; left > 0 && at < stretches_.size(); ++at) {
      const EventList found = edges_of(stretches_[at]);
      const std::int64_t rows = std::ssize(found);
      const std::int64_t begin = std::clamp(first - row, std::int64_t{0}, rows);
      const std::int64_t taken = std::min(left, rows - begin);
      events.insert(events.end(), found.begin() + begin, found.begin() + begin + taken);
      left -= taken;
      row += rows;
      note(at + 1, row);
    }
  }

  std::size_t held_bytes() const noexcept override {
    return stretches_.size() * (sizeof(Stretch) + sizeof(std::int64_t)) +
           static_cast<std::size_t>(kStretchFrames) * words_.size() * sizeof(float) +
           recording_->cache_bytes(kStretchFrames);
  }

 private:
  struct Stretch {
    std::int64_t segment;
    std::int64_t first;
    std::int64_t frames;
  };

  void count_all() {
    std::int64_t row = 0;
    for (std::size_t at = 0; at < stretches_.size(); ++at) {
      row += std::ssize(edges_of(stretches_[at]));
      note(at + 1, row);
    }
    info_.count = row;
  }

  /// The last stretch known to begin at or before a row, and the rows before it.
  std::pair<std::size_t, std::int64_t> known_before(std::int64_t row) const {
    const std::lock_guard lock(mutex_);
    const auto after = std::upper_bound(rows_before_.begin(), rows_before_.end(), row);
    // Of several that begin at the row, all but the last are empty.
    return {static_cast<std::size_t>(after - rows_before_.begin()) - 1, *(after - 1)};
  }

  void note(std::size_t stretch, std::int64_t rows) const {
    const std::lock_guard lock(mutex_);
    if (rows_before_.size() == stretch) {
      rows_before_.push_back(rows);
    }
  }

  EventList edges_of(const Stretch& stretch) const {
    return recording_->stored_as_int16() ? edges_in<std::int16_t>(stretch)
                                         : edges_in<float>(stretch);
  }

  template <class T>
  EventList edges_in(const Stretch& stretch) const {
    constexpr auto kType = sizeof(T) == 2 ? SampleType::int16 : SampleType::float32;
    const std::int64_t before = stretch.first > 0 ? 1 : 0;  // The level that the first may leave.
    const Buffer buffer(kType, stretch.frames + before, std::ssize(words_));
    const auto block = buffer.as<T>();
    if constexpr (sizeof(T) == 2) {
      recording_->read_stored(stretch.segment, stretch.first - before, words_, block);
    } else {
      recording_->read(stretch.segment, stretch.first - before, words_, block);
    }
    EventList events;
    for (std::int64_t f = 1; f < block.frames(); ++f) {
      for (std::int64_t w = 0; w < block.channels(); ++w) {
        if (block(f, w) != block(f - 1, w)) {
          append_edges(bits_of(block(f - 1, w)), bits_of(block(f, w)), w,
                       {.onset = stretch.first - before + f,
                        .segment = static_cast<std::uint32_t>(stretch.segment)},
                       events);
        }
      }
    }
    std::sort(events.begin(), events.end(), &row_before_in_table);
    return events;
  }

  void append_edges(std::uint32_t from, std::uint32_t to, std::int64_t word, Event event,
                    EventList& events) const {
    event.offset = event.peak = event.final = event.onset;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::uint32_t mask = std::uint32_t{1} << static_cast<unsigned>(lines_[i].bit);
      if (columns_[i] == word && ((from ^ to) & mask) != 0) {
        event.channel = static_cast<std::int32_t>(i);
        event.polarity = (to & mask) != 0 ? 1 : -1;
        event.peak_value = event.polarity > 0 ? 1.0F : 0.0F;
        events.push_back(event);
      }
    }
  }

  std::shared_ptr<const RecordingSource> recording_;
  EventStreamInfo info_;
  std::vector<DigitalLine> lines_;
  std::vector<std::int64_t> words_;    ///< Channels that hold words.
  std::vector<std::int64_t> columns_;  ///< Of each line, in `words_`.
  std::vector<Stretch> stretches_;
  mutable std::mutex mutex_;
  mutable std::vector<std::int64_t> rows_before_{0};  ///< Each stretch, as far as they were read.
};
}  // namespace

EventStreamInfo describe_lines(std::string name, const RecordingInfo& recording,
                               const std::vector<DigitalLine>& lines) {
  EventStreamInfo info;
  info.name = std::move(name);
  info.format = recording.format;
  info.kind = EventKind::ttl;
  auto& stream = info.table.stream;
  stream.rate = recording.rate;
  stream.segments = recording.segments;
  for (const auto& line : lines) {
    WEIR_CHECK(line.channel >= 0 && line.channel < recording.channel_count());
    WEIR_CHECK(line.bit >= 0 && line.bit < 24);
    Channel channel;
    channel.name = line.name;
    channel.source_index = std::ssize(stream.channels);
    stream.channels.push_back(std::move(channel));
  }
  return info;
}

std::unique_ptr<EventSource> make_digital_lines(std::string name,
                                                std::shared_ptr<const RecordingSource> recording,
                                                std::vector<DigitalLine> lines) {
  return std::make_unique<DigitalLines>(std::move(name), std::move(recording), std::move(lines));
}

}  // namespace weir::formats
