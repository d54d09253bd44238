#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/compute/flush_to_zero.h"
#include "weir/core/buffer.h"
#include "weir/op/event_feed.h"
#include "weir/op/step.h"

namespace weir::op {

/// Receives what a step emits on its only port: a signal block (empty for event ports) and new
/// events.
using Receiver = std::function<void(AnyBlock block, EventList& events)>;

/// Where the output of a `StepRun` is put.
enum class Room {
  own,  ///< In a buffer it makes for itself.
  lent  ///< In what it was last lent.
};

/// One step running over one segment for one group of channels: gathers whole grids, finds room for
/// its output.
class StepRun {
 public:
  /// `max_frames`: the longest block `push` will be given.
  StepRun(const Step& step, const StartPoint& at, std::int64_t max_frames, Room room = Room::own);

  /// Output goes to `room` from now on: `room_frames` frames of the group's channels.
  void lend(AnyBlock room) noexcept { room_ = room; }

  /// The events input. Lives: longer than this.
  void connect(EventFeed& feed);
  /// Where snippets go. Lives: longer than this.
  void deliver_snippets(SnippetReceiver& to) noexcept { snippets_ = &to; }

  /// Feed the next frames; `receive` is called for each stretch of output.
  void push(AnyBlock in, const Receiver& receive);
  /// End of the segment: one more stretch of the tail; true when that was the last.
  bool finish_some(const Receiver& receive);
  /// End of the segment: the whole tail.
  void finish(const Receiver& receive);

  void save(ByteWriter& to) const;
  void load(ByteReader& from);
  const State& state() const noexcept { return *state_; }

  /// Frames of output one push of `max_frames` may need room for; 0 when it emits events.
  static std::int64_t room_frames(const Step& step, std::int64_t max_frames) noexcept;
  /// What a run holds beyond `step.state_bytes` and its room.
  static std::size_t held_bytes(const Step& step, SampleType in, std::int64_t channels) noexcept;

 private:
  void run(AnyBlock in, const Receiver& receive);
  void hear_rest();
  std::int64_t keep(AnyBlock in, std::int64_t frames);

  const Step& step_;
  std::unique_ptr<State> state_;
  Buffer own_;
  AnyBlock room_;
  Buffer held_;  ///< Frames waiting for a whole grid.
  std::int64_t held_frames_ = 0;
  EventList events_;
  EventFeed* feed_ = nullptr;
  SnippetReceiver* snippets_ = nullptr;
  std::int64_t given_ = 0;  ///< Frames the step has been given, where it takes events.
  EventList heard_;
};

using compute::FlushToZero;

}  // namespace weir::op
