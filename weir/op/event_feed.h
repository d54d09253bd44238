#pragma once

#include <cstdint>

#include "weir/core/event.h"

namespace weir::op {

/// Events on their way into one step, for one segment: in the order of rows, in samples of the
/// step's input. What it gives follows from the frames alone, never from when events were found.
class EventFeed {
 public:
  virtual ~EventFeed() = default;
  /// Appends what is certain once the step has `frames` input frames and was not given before:
  /// every event whose final sample lies `EventsInput::lag_frames` before them.
  virtual void take(std::int64_t frames, EventList& into) = 0;
  /// End of the segment: all that are left.
  virtual void take_rest(EventList& into) = 0;
};

}  // namespace weir::op
