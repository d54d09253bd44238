#include "weir/pipeline/run/event_mailbox.h"

#include <algorithm>

#include "weir/core/error.h"

namespace weir::pipeline {

void FoundEvents::events(std::size_t, const EventList& events) {
  const std::lock_guard lock(mutex_);
  for (const Event& event : events) {
    const Event mapped = map_(event);
    WEIR_CHECK(mapped.final >= taken_before_);  // else the lag was planned too short
    waiting_.insert(mapped);
  }
}

void FoundEvents::take(std::int64_t frames, EventList& into) {
  const std::lock_guard lock(mutex_);
  taken_before_ = std::max(taken_before_, frames - lag_frames_);
  auto end = waiting_.begin();
  while (end != waiting_.end() && end->final < taken_before_) {
    into.push_back(*end++);
  }
  waiting_.erase(waiting_.begin(), end);
}

void FoundEvents::take_rest(EventList& into) {
  const std::lock_guard lock(mutex_);
  into.insert(into.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void FoundEvents::save(op::ByteWriter& to) const {
  const std::lock_guard lock(mutex_);
  to.put(taken_before_);
  to.put_all(EventList(waiting_.begin(), waiting_.end()));
}

void FoundEvents::load(op::ByteReader& from) {
  taken_before_ = from.get<std::int64_t>();
  const auto waiting = from.get_vector<Event>();
  waiting_.clear();
  waiting_.insert(waiting.begin(), waiting.end());
}

GivenEvents::GivenEvents(std::shared_ptr<const KnownEvents> known, std::int64_t segment,
                         std::int64_t lag_frames)
    : known_(std::move(known)),
      list_(known_->segments.at(static_cast<std::size_t>(segment))),
      lag_frames_(lag_frames) {}

void GivenEvents::take(std::int64_t frames, EventList& into) {
  for (; next_ < list_.size() && list_[next_].final < frames - lag_frames_; ++next_) {
    into.push_back(list_[next_]);
  }
}

void GivenEvents::take_rest(EventList& into) {
  into.insert(into.end(), list_.begin() + static_cast<std::ptrdiff_t>(next_), list_.end());
  next_ = list_.size();
}

void GivenEvents::load(op::ByteReader& from) {
  next_ = std::min(from.get<std::size_t>(), list_.size());
}

std::unique_ptr<EventMailbox> make_mailbox(const Graph& graph, std::int64_t index,
                                           std::int64_t segment) {
  const GraphNode& node = graph.node(index);
  const EventsLink& link = *node.events;
  if (link.known != nullptr) {
    return std::make_unique<GivenEvents>(link.known, segment, link.lag_frames);
  }
  const StreamInfo& in = graph.stream(node.parent);
  const auto at = static_cast<std::size_t>(segment);
  const StreamInfo& found_in = link.found_in;
  return std::make_unique<FoundEvents>(
      SampleMap(found_in.segments[at], found_in.rate, in.segments[at], in.rate), link.lag_frames);
}

}  // namespace weir::pipeline
