#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "weir/op/schema.h"
#include "weir/op/step.h"

namespace weir::signal {

/// Which sample of an event stands at 0 of what is cut or put around it.
enum class EventAlign { peak, onset };
std::span<const op::EnumName<EventAlign>> names_of(EventAlign);

/// What an operator says of the rows around its events.
struct EventWindowFields {
  double pre_s = 0;
  double post_s = 0;
  EventAlign align = EventAlign::peak;
  double longest_event_s = 0.1;
};

/// Rows [anchor - before, anchor + after) around an event, and how long they must be kept until the
/// event is known: memory is bounded by leaving out events whose anchor lies further back than
/// `longest` when they are final.
struct EventWindow {
  EventAlign align = EventAlign::peak;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t longest = 0;  ///< From the anchor to the event's final sample, a detector's wait
                             ///< included.
  std::int64_t lag = 0;      ///< As in `op::EventsInput`.

  std::int64_t frames() const noexcept { return before + after; }
  std::int64_t anchor(const Event& event) const noexcept {
    return align == EventAlign::peak ? event.peak : event.onset;
  }
  bool too_long(const Event& event) const noexcept { return event.final - anchor(event) > longest; }
  /// Input frames behind an event's final sample when its window has come and it is known.
  std::int64_t known_after() const noexcept { return after > lag + 1 ? after : lag + 1; }
  /// Rows before the frame that comes next which windows may still ask for.
  std::int64_t rows_behind() const noexcept { return before + longest + known_after(); }
};

/// In frames of the step's input. Errors: `invalid_spec` naming the field: a window without a
/// frame, or more rows than can be kept.
EventWindow make_event_window(const EventWindowFields& fields, const op::StepContext& context);

/// Which channel of `in` each channel of the events is: the same where all names are, else by name;
/// -1 for none. Errors: `invalid_spec` where a name tells no single one.
std::vector<std::int32_t> channels_of_events(const op::EventsInput& events, const StreamInfo& in);

/// Events of which something is still to be done, in the order of rows. What stands in it is
/// bounded by how many events overlap.
class EventQueue {
 public:
  bool empty() const noexcept { return next_ == events_.size(); }
  const Event& front() const noexcept { return events_[next_]; }
  void push(const Event& event) { events_.push_back(event); }
  void pop() noexcept;
  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);

 private:
  EventList events_;
  std::size_t next_ = 0;
};

}  // namespace weir::signal
