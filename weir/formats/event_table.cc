#include "weir/formats/event_table.h"

#include "weir/core/error.h"

namespace weir::formats {
namespace {
/// Time of a sample on the recording's clock. The wider type keeps the sum of two ratios from being
/// rounded twice: 1/10 s + 3/30000 s is 0.1001, not 0.10010000000000001.
double clock_s(const Segment& segment, const SampleRate& rate, std::int64_t sample) {
  const Rational& start = segment.start_s;
  const Rational& hz = rate.exact();
  return static_cast<double>(static_cast<long double>(start.numerator()) / start.denominator() +
                             static_cast<long double>(sample) * hz.denominator() / hz.numerator());
}
}  // namespace

EventRow to_row(const Event& event, const EventTableInfo& table) {
  const auto& stream = table.stream;
  WEIR_CHECK(event.segment < stream.segments.size());
  const Segment& segment = stream.segments[event.segment];
  const Channel& channel = stream.channels.at(static_cast<std::size_t>(event.channel));
  EventRow row;
  row.channel = event.channel;
  row.channel_name = channel.name;
  row.onset_sample = static_cast<std::uint64_t>(segment.first_frame + event.onset);
  row.peak_sample = static_cast<std::uint64_t>(segment.first_frame + event.peak);
  row.peak_value =
      static_cast<float>(static_cast<double>(event.peak_value) * channel.gain + channel.offset);
  row.onset_s = clock_s(segment, stream.rate, event.onset);
  if (event.offset != Event::kOpen) {
    row.offset_sample = static_cast<std::uint64_t>(segment.first_frame + event.offset);
    row.offset_s = clock_s(segment, stream.rate, event.offset);
    row.duration_s = stream.rate.seconds(event.offset - event.onset);
  }
  row.segment = static_cast<std::uint32_t>(segment.index);
  row.polarity = event.polarity;
  return row;
}

}  // namespace weir::formats
