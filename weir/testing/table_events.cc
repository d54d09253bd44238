#include "weir/testing/table_events.h"

namespace weir::testing {

GivenEvents table_events(const Samples& table, const StreamInfo& stream, std::int64_t lag_frames) {
  EventList events;
  for (std::int64_t row = 0; row < table.frames; ++row) {
    Event event;
    event.onset = static_cast<std::int64_t>(table(row, 0));
    event.offset = static_cast<std::int64_t>(table(row, 1));
    event.peak = static_cast<std::int64_t>(table(row, 2));
    event.final = static_cast<std::int64_t>(table(row, 3));
    event.channel = static_cast<std::int32_t>(table(row, 4));
    event.polarity = 1;
    events.push_back(event);
  }
  return {.input = {stream, lag_frames, 0}, .segments = {events}};
}

}  // namespace weir::testing
