#include "weir/formats/digital_lines.h"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "weir/core/buffer.h"
#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostStretchFrames = std::int64_t{1} << 16;
constexpr std::int64_t kMostStretchWords = std::int64_t{1} << 22;
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
               const std::vector<DigitalLine>& lines)
      : recording_(std::move(recording)),
        info_(describe_lines(std::move(name), recording_->info(), lines)) {
    wire(lines);
    std::int64_t frames = 0;
    for (const auto& segment : info_.table.stream.segments) {
      stretch_count_ += (segment.frames + stretch_frames_ - 1) / stretch_frames_;
      stretch_ends_.push_back(stretch_count_);
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
    for (; left > 0 && at < stretch_count_; ++at) {
      const EventList found = edges_of(stretch(at));
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
    return static_cast<std::size_t>(stretch_count_) * sizeof(std::int64_t) +
           static_cast<std::size_t>(stretch_frames_) * words_.size() * sizeof(float) +
           recording_->cache_bytes(stretch_frames_);
  }

 private:
  struct Stretch {
    std::int64_t segment;
    std::int64_t first;
    std::int64_t frames;
  };

  struct Wire {
    std::int64_t channel;
    int bit;
    std::int32_t line;
  };

  /// Sorts the lines by the words they are bits of, so that an edge costs what its word has.
  void wire(const std::vector<DigitalLine>& lines) {
    for (const auto& line : lines) {
      wires_.push_back({line.channel, line.bit, static_cast<std::int32_t>(wires_.size())});
    }
    std::sort(wires_.begin(), wires_.end(), [](const Wire& a, const Wire& b) {
      return std::tie(a.channel, a.line) < std::tie(b.channel, b.line);
    });
    for (std::size_t i = 0; i < wires_.size(); ++i) {
      if (i == 0 || wires_[i].channel != wires_[i - 1].channel) {
        words_.push_back(wires_[i].channel);
        first_wire_.push_back(i);
      }
    }
    first_wire_.push_back(wires_.size());
    stretch_frames_ = std::clamp(kMostStretchWords / std::max<std::int64_t>(1, std::ssize(words_)),
                                 std::int64_t{16}, kMostStretchFrames);
  }

  Stretch stretch(std::int64_t at) const {
    const auto end = std::upper_bound(stretch_ends_.begin(), stretch_ends_.end(), at);
    const std::int64_t before = end == stretch_ends_.begin() ? 0 : *(end - 1);
    const auto& segment =
        info_.table.stream.segments[static_cast<std::size_t>(end - stretch_ends_.begin())];
    const std::int64_t first = (at - before) * stretch_frames_;
    return {segment.index, first, std::min(stretch_frames_, segment.frames - first)};
  }

  void count_all() {
    std::int64_t row = 0;
    for (std::int64_t at = 0; at < stretch_count_; ++at) {
      row += std::ssize(edges_of(stretch(at)));
      note(at + 1, row);
    }
    info_.count = row;
  }

  /// The last stretch known to begin at or before a row, and the rows before it.
  std::pair<std::int64_t, std::int64_t> known_before(std::int64_t row) const {
    const std::lock_guard lock(mutex_);
    const auto after = std::upper_bound(rows_before_.begin(), rows_before_.end(), row);
    // Of several that begin at the row, all but the last are empty.
    return {after - rows_before_.begin() - 1, *(after - 1)};
  }

  void note(std::int64_t stretch, std::int64_t rows) const {
    const std::lock_guard lock(mutex_);
    if (std::ssize(rows_before_) == stretch) {
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
          append_edges(bits_of(block(f - 1, w)), bits_of(block(f, w)), static_cast<std::size_t>(w),
                       {.onset = stretch.first - before + f,
                        .segment = static_cast<std::uint32_t>(stretch.segment)},
                       events);
        }
      }
    }
    std::sort(events.begin(), events.end(), &row_before_in_table);
    return events;
  }

  void append_edges(std::uint32_t from, std::uint32_t to, std::size_t word, Event event,
                    EventList& events) const {
    event.offset = event.peak = event.final = event.onset;
    for (std::size_t i = first_wire_[word]; i < first_wire_[word + 1]; ++i) {
      const std::uint32_t mask = std::uint32_t{1} << static_cast<unsigned>(wires_[i].bit);
      if (((from ^ to) & mask) != 0) {
        event.channel = wires_[i].line;
        event.polarity = (to & mask) != 0 ? 1 : -1;
        event.peak_value = event.polarity > 0 ? 1.0F : 0.0F;
        events.push_back(event);
      }
    }
  }

  std::shared_ptr<const RecordingSource> recording_;
  EventStreamInfo info_;
  std::vector<Wire> wires_;              ///< By word.
  std::vector<std::int64_t> words_;      ///< Channels that hold words, in their order.
  std::vector<std::size_t> first_wire_;  ///< Of each word, and the number of wires.
  std::int64_t stretch_frames_ = kMostStretchFrames;
  std::int64_t stretch_count_ = 0;
  std::vector<std::int64_t> stretch_ends_;  ///< Stretches up to the end of each segment.
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
                                                const std::vector<DigitalLine>& lines) {
  return std::make_unique<DigitalLines>(std::move(name), std::move(recording), lines);
}

}  // namespace weir::formats
