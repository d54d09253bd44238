#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/compute/flush_to_zero.h"
#include "weir/core/buffer.h"
#include "weir/op/step.h"

namespace weir::op {

/// Receives what a step emits on its only port: a signal block (empty for event ports) and new
/// events.
using Receiver = std::function<void(AnyBlock block, EventList& events)>;

/// One step running over one segment for one group of channels: gathers whole grids, owns the room
/// for its output.
class StepRun {
 public:
  /// `max_frames`: the longest block `push` will be given.
  StepRun(const Step& step, const StartPoint& at, std::int64_t max_frames);

  /// Feed the next frames; `receive` is called for each stretch of output.
  void push(AnyBlock in, const Receiver& receive);
  /// End of the segment: one more stretch of the tail; true when that was the last.
  bool finish_some(const Receiver& receive);
  /// End of the segment: the whole tail.
  void finish(const Receiver& receive);

  void save(ByteWriter& to) const;
  void load(ByteReader& from);
  const State& state() const noexcept { return *state_; }

  /// What a run with these arguments holds beyond `step.state_bytes`.
  static std::size_t bytes_for(const Step& step, SampleType in, std::int64_t channels,
                               std::int64_t max_frames);

 private:
  void run(AnyBlock in, const Receiver& receive);
  std::int64_t keep(AnyBlock in, std::int64_t frames);

  const Step& step_;
  std::unique_ptr<State> state_;
  Buffer out_;
  Buffer held_;  ///< Frames waiting for a whole grid.
  std::int64_t held_frames_ = 0;
  EventList events_;
};

using compute::FlushToZero;

}  // namespace weir::op
