#include "weir/signal/event_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "weir/core/error.h"

namespace weir::signal {
namespace {
/// Rows that are kept at most: more is a slip of the pen, and would not fit any memory.
constexpr std::int64_t kMostRows = std::int64_t{1} << 32;
/// What the queue has given is thrown away in one go from so many on.
constexpr std::size_t kWorthCleaning = 256;

std::int64_t frames_of(const SampleRate& rate, double seconds, std::string_view field) {
  return in_context(field, [&] { return rate.nearest_frames(seconds); });
}
}  // namespace

std::span<const op::EnumName<EventAlign>> names_of(EventAlign) {
  static constexpr std::array<op::EnumName<EventAlign>, 2> kNames{
      {{"peak", EventAlign::peak}, {"onset", EventAlign::onset}}};
  return kNames;
}

EventWindow make_event_window(const EventWindowFields& fields, const op::StepContext& context) {
  WEIR_CHECK(context.events.has_value());
  EventWindow window;
  window.align = fields.align;
  window.before = frames_of(context.in.rate, fields.pre_s, "pre_s");
  window.after = frames_of(context.in.rate, fields.post_s, "post_s");
  window.longest = frames_of(context.in.rate, fields.longest_event_s, "longest_event_s") +
                   context.events->wait_frames;
  window.lag = context.events->lag_frames;
  if (window.frames() < 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("post_s: {} s and pre_s {} s make a window without a frame at {}",
                            fields.post_s, fields.pre_s, context.in.rate.text()));
  }
  if (window.rows_behind() > kMostRows) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("longest_event_s: {} rows would be kept until events are known; at "
                            "most {} can be",
                            window.rows_behind(), kMostRows));
  }
  return window;
}

std::vector<std::int32_t> channels_of_events(const op::EventsInput& events, const StreamInfo& in) {
  const std::vector<Channel>& theirs = events.stream.channels;
  std::vector<std::int32_t> found;
  if (std::ranges::equal(theirs, in.channels, {}, &Channel::name, &Channel::name)) {
    found.resize(theirs.size());
    std::iota(found.begin(), found.end(), 0);
    return found;
  }
  std::map<std::string_view, std::int32_t> by_name;
  std::set<std::string_view> twice;
  for (std::size_t c = 0; c < in.channels.size(); ++c) {
    if (!by_name.emplace(in.channels[c].name, static_cast<std::int32_t>(c)).second) {
      twice.insert(in.channels[c].name);
    }
  }
  for (const Channel& channel : theirs) {
    if (twice.contains(channel.name)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("channels: events are found on \"{}\", and the signal has more than "
                              "one channel of that name",
                              channel.name));
    }
    const auto known = by_name.find(channel.name);
    found.push_back(known == by_name.end() ? -1 : known->second);
  }
  return found;
}

void EventQueue::pop() noexcept {
  ++next_;
  if (next_ == events_.size() || (next_ >= kWorthCleaning && 2 * next_ >= events_.size())) {
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
  }
}

void EventQueue::save(op::ByteWriter& to) const {
  to.put_all(std::span<const Event>(events_).subspan(next_));
}

void EventQueue::load(op::ByteReader& from) {
  events_ = from.get_vector<Event>();
  next_ = 0;
}

}  // namespace weir::signal
