#include "weir/formats/event_table.h"

#include "weir/core/error.h"

namespace weir::formats {

EventRow to_row(const Event& event, const EventTableInfo& table) {
  const auto& stream = table.stream;
  WEIR_CHECK(event.segment < stream.segments.size());
  const Segment& segment = stream.segments[event.segment];
  const Channel& channel = stream.channels.at(static_cast<std::size_t>(event.channel));
  const double start_s = segment.start_s.to_double();
  EventRow row;
  row.channel = event.channel;
  row.channel_name = channel.name;
  row.onset_sample = static_cast<std::uint64_t>(segment.first_frame + event.onset);
  row.peak_sample = static_cast<std::uint64_t>(segment.first_frame + event.peak);
  row.peak_value =
      static_cast<float>(static_cast<double>(event.peak_value) * channel.gain + channel.offset);
  row.onset_s = start_s + stream.rate.seconds(event.onset);
  if (event.offset != Event::kOpen) {
    row.offset_sample = static_cast<std::uint64_t>(segment.first_frame + event.offset);
    row.offset_s = start_s + stream.rate.seconds(event.offset);
    row.duration_s = stream.rate.seconds(event.offset - event.onset);
  }
  row.segment = static_cast<std::uint32_t>(segment.index);
  row.polarity = event.polarity;
  return row;
}

}  // namespace weir::formats
