#include "weir/formats/stored_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 62;

class StoredEvents final : public EventSource {
 public:
  StoredEvents(EventStreamInfo info, EventList events)
      : info_(std::move(info)), events_(std::move(events)) {}

  const EventStreamInfo& info() const noexcept override { return info_; }
  void read(std::int64_t first, std::int64_t count, EventList& events) const override {
    WEIR_CHECK(first >= 0 && count >= 0);
    const std::int64_t begin = std::min<std::int64_t>(first, std::ssize(events_));
    const std::int64_t end = begin + std::min(count, std::ssize(events_) - begin);
    events.insert(events.end(), events_.begin() + begin, events_.begin() + end);
  }
  std::size_t held_bytes() const noexcept override { return events_.capacity() * sizeof(Event); }

 private:
  EventStreamInfo info_;
  EventList events_;
};

void refuse_more(std::int64_t count, std::int64_t most, std::string_view what) {
  if (count > most) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{} {}: at most {} are held", grouped(count), what, grouped(most)));
  }
}

/// Segments of unknown length end after their last event.
void close_segments(std::vector<Segment>& segments, const EventList& events) {
  std::vector<std::int64_t> ends(segments.size(), 0);
  for (const auto& event : events) {
    auto& end = ends[event.segment];
    end = std::max({end, event.onset + 1, event.peak + 1, event.offset});
  }
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].frames < 0) {
      segments[i].frames = ends[i];
    }
  }
}

std::int64_t sample_in(const Segment& segment, std::string_view field, std::uint64_t sample) {
  if (sample >= kSampleLimit) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: {} is beyond 2^62 samples", field, sample));
  }
  const std::int64_t inside = static_cast<std::int64_t>(sample) - segment.first_frame;
  if (inside < 0) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {} is before the segment's first, {}",
                                                     field, sample, segment.first_frame));
  }
  return inside;
}
}  // namespace

std::unique_ptr<EventSource> make_stored_events(EventStreamInfo info, EventList events) {
  refuse_more(std::ssize(events), kMostHeldEvents, "events");
  refuse_more(info.table.stream.channel_count(), kMostLabels, "different labels");
  auto& segments = info.table.stream.segments;
  for (const auto& event : events) {
    WEIR_CHECK(event.segment < segments.size());
    WEIR_CHECK(event.channel >= 0 && event.channel < info.table.stream.channel_count());
    WEIR_CHECK(event.onset >= 0 && (event.offset == Event::kOpen || event.offset >= event.onset));
  }
  close_segments(segments, events);
  for (auto& event : events) {
    event.final = event.offset == Event::kOpen
                      ? std::max(event.onset, segments[event.segment].frames)
                      : event.offset;
  }
  std::stable_sort(events.begin(), events.end(), &row_before_in_table);
  info.count = std::ssize(events);
  return std::make_unique<StoredEvents>(std::move(info), std::move(events));
}

Event from_row(const EventRow& row, std::uint32_t segment, const EventTableInfo& table) {
  WEIR_CHECK(segment < table.stream.segments.size());
  const Segment& place = table.stream.segments[segment];
  if (row.channel < 0 || row.channel >= table.stream.channel_count()) {
    throw Error(ErrorCode::corrupt_data, fmt::format("channel: {} is none of {}", row.channel,
                                                     table.stream.channel_count()));
  }
  Event event;
  event.channel = row.channel;
  event.segment = segment;
  event.polarity = row.polarity;
  event.peak_value = row.peak_value;
  event.onset = sample_in(place, "onset_sample", row.onset_sample);
  event.peak = sample_in(place, "peak_sample", row.peak_sample);
  if (row.offset_sample) {
    event.offset = sample_in(place, "offset_sample", *row.offset_sample);
    if (event.offset < event.onset) {
      throw Error(ErrorCode::corrupt_data, fmt::format("offset_sample: {} is before the onset, {}",
                                                       *row.offset_sample, row.onset_sample));
    }
  }
  return event;
}

}  // namespace weir::formats
