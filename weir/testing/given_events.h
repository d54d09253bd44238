#pragma once

#include <optional>
#include <vector>

#include "weir/op/event_feed.h"
#include "weir/op/operator.h"

namespace weir::testing {

/// What comes into a step's events input in a test.
struct GivenEvents {
  op::EventsInput input;
  std::vector<EventList> segments;  ///< In the order of rows, in samples of the step's input.
};

/// Gives the events of one segment as a run would: each as late as `lag_frames` allows.
class ListFeed final : public op::EventFeed {
 public:
  ListFeed(const EventList& events, std::int64_t lag_frames)
      : events_(events), lag_frames_(lag_frames) {}
  void take(std::int64_t frames, EventList& into) override;
  void take_rest(EventList& into) override;

 private:
  const EventList& events_;
  std::int64_t lag_frames_;
  std::size_t next_ = 0;
};

/// For every segment of `stream` the same events (as far as they fit), on random channels: short,
/// long, open and overlapping ones, at both ends of the segment too.
GivenEvents probe_events(const StreamInfo& stream, std::int64_t lag_frames);

}  // namespace weir::testing
