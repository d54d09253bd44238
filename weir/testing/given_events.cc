#include "weir/testing/given_events.h"

#include <algorithm>

#include "weir/signal/generate/counter_random.h"

namespace weir::testing {
namespace {
/// Event `number` of a segment: most are short, one in eight is long, one in sixteen stays open.
Event probe_event(std::uint64_t number, std::int64_t onset, std::int64_t channels,
                  std::int64_t frames) {
  const std::uint64_t key = signal::key_of(5, 3);
  const auto random = [&](std::uint64_t salt, std::int64_t below) {
    return static_cast<std::int64_t>(signal::random_bits(key, 8 * number + salt) %
                                     static_cast<std::uint64_t>(below));
  };
  Event event;
  event.onset = onset;
  const std::int64_t length = number % 8 == 3 ? random(0, 300) + 1 : random(0, 20) + 1;
  const std::int64_t end = std::min(onset + length, frames);
  event.offset = number % 16 == 5 ? Event::kOpen : end;
  event.peak = std::min(onset + random(1, length), frames - 1);
  event.final = number % 4 == 1 ? std::min(end + random(2, 12), frames) : end;
  event.peak_value = static_cast<float>(random(3, 200));
  event.channel = static_cast<std::int32_t>(random(4, channels));
  event.polarity = random(5, 2) == 0 ? std::int8_t{1} : std::int8_t{-1};
  return event;
}
}  // namespace

void ListFeed::take(std::int64_t frames, EventList& into) {
  while (next_ < events_.size() && events_[next_].final < frames - lag_frames_) {
    into.push_back(events_[next_++]);
  }
}

void ListFeed::take_rest(EventList& into) {
  into.insert(into.end(), events_.begin() + static_cast<std::ptrdiff_t>(next_), events_.end());
  next_ = events_.size();
}

GivenEvents probe_events(const StreamInfo& stream, std::int64_t lag_frames) {
  GivenEvents given;
  given.input = {stream, lag_frames, 12};
  for (std::size_t s = 0; s < stream.segments.size(); ++s) {
    const std::int64_t frames = stream.segments[s].frames;
    EventList events;
    std::uint64_t number = 0;
    constexpr std::int64_t kApart = 23;
    for (std::int64_t onset = 0; onset < frames; onset += number % 3 == 0 ? 1 : kApart) {
      Event event = probe_event(number++, onset, stream.channel_count(), frames);
      event.segment = static_cast<std::uint32_t>(s);
      events.push_back(event);
    }
    if (frames > 1) {
      Event event = probe_event(number, frames - 1, stream.channel_count(), frames);
      event.segment = static_cast<std::uint32_t>(s);
      events.push_back(event);
    }
    std::stable_sort(events.begin(), events.end(), row_before);
    given.segments.push_back(std::move(events));
  }
  return given;
}

}  // namespace weir::testing
