#include "weir/formats/label_events.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/stored_events.h"

namespace weir::formats {
namespace {
constexpr long double kMostFrames = 0x1p62L;

long double value_of(const Rational& ratio) {
  return static_cast<long double>(ratio.numerator()) /
         static_cast<long double>(ratio.denominator());
}
}  // namespace

std::optional<ClockPlace> place_at(const StreamInfo& stream, long double seconds) {
  const long double rate = value_of(stream.rate.exact());
  std::optional<ClockPlace> place;
  for (std::size_t i = 0; i < stream.segments.size(); ++i) {
    const long double frame =
        std::floor((seconds - value_of(stream.segments[i].start_s)) * rate + 0.5L);
    if (frame >= 0 && frame < kMostFrames) {
      const auto number = static_cast<std::int64_t>(frame);
      // Segments may overlap; the one that began last is the nearest.
      if (!place || number <= place->frame) {
        place = {static_cast<std::uint32_t>(i), number};
      }
    }
  }
  return place;
}

std::int32_t LabelEvents::channel_of(std::string_view text) {
  const auto known = channels_.find(text);
  if (known != channels_.end()) {
    return known->second;
  }
  auto& channels = info_.table.stream.channels;
  if (std::ssize(channels) == kMostLabels) {
    throw Error(ErrorCode::unsupported,
                fmt::format("more than {} different texts", grouped(kMostLabels)));
  }
  Channel channel;
  channel.name = text;
  channel.source_index = std::ssize(channels);
  channels.push_back(std::move(channel));
  const auto index = static_cast<std::int32_t>(channels.size() - 1);
  channels_.emplace(text, index);
  return index;
}

void LabelEvents::add(std::string_view text, long double onset_s, long double duration_s) {
  if (!(duration_s >= 0)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("a duration of {} s", static_cast<double>(duration_s)));
  }
  const auto& stream = info_.table.stream;
  const auto place = place_at(stream, onset_s);
  if (!place) {
    first_before_s_ = before_ == 0 ? static_cast<double>(onset_s) : first_before_s_;
    ++before_;
    return;
  }
  const long double start = value_of(stream.segments[place->segment].start_s);
  const long double end =
      std::floor((onset_s + duration_s - start) * value_of(stream.rate.exact()) + 0.5L);
  if (!(end < kMostFrames)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("a duration of {} s", static_cast<double>(duration_s)));
  }
  add_at(text, *place, std::max(std::int64_t{0}, static_cast<std::int64_t>(end) - place->frame));
}

void LabelEvents::add_at(std::string_view text, ClockPlace place, std::int64_t frames) {
  WEIR_CHECK(place.frame >= 0 && frames >= 0);
  if (std::ssize(events_) == kMostHeldEvents) {
    throw Error(ErrorCode::unsupported,
                fmt::format("more than {} annotations", grouped(kMostHeldEvents)));
  }
  events_.push_back({.onset = place.frame,
                     .offset = place.frame + frames,
                     .peak = place.frame,
                     .channel = channel_of(text),
                     .segment = place.segment,
                     .polarity = 1});
}

std::unique_ptr<EventSource> LabelEvents::take(std::string_view path) {
  if (before_ > 0) {
    info_.warnings.push_back(fmt::format(
        "{}: {} annotation{} before the recording began {} left out, the first at {} s", path,
        grouped(before_), before_ == 1 ? "" : "s", before_ == 1 ? "is" : "are", first_before_s_));
  }
  return make_stored_events(std::move(info_), std::move(events_));
}

}  // namespace weir::formats
