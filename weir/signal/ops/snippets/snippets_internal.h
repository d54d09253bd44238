#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/event_window.h"
#include "weir/signal/ops/snippets/snippets.h"
#include "weir/signal/past_rows.h"

namespace weir::signal {

/// What every snippet of a step has in common.
struct SnippetPlan {
  EventWindow window;
  SnippetEdge edge = SnippetEdge::skip;
  /// Channels of the signal by channel of the events; empty where every channel is wanted.
  std::vector<std::vector<std::int32_t>> picks;
  std::vector<float> gain;  ///< Of each channel to the unit of a column, with `picks`.
};

/// The events whose snippets are still to come, in their order, and those that get none.
class SnippetQueue {
 public:
  /// `frames`: of the segment.
  SnippetQueue(const SnippetPlan& plan, std::int64_t frames) : plan_(&plan), frames_(frames) {}

  void hear(std::span<const Event> events);
  /// The next event whose snippet is complete once the rows before `known` have come, or null.
  const Event* due(std::int64_t known) const;
  void pop() noexcept { events_.pop(); }
  std::int64_t first_row(const Event& event) const noexcept {
    return plan_->window.anchor(event) - plan_->window.before;
  }
  std::int64_t frames() const noexcept { return frames_; }
  /// The segment ended after so many rows.
  void end_at(std::int64_t frames) noexcept { frames_ = frames < frames_ ? frames : frames_; }

  std::vector<op::Counter> counters() const;
  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);

 private:
  const SnippetPlan* plan_;
  std::int64_t frames_;
  EventQueue events_;
  std::int64_t too_long_ = 0;
  std::int64_t cut_ = 0;
};

struct SnippetState final : op::State {
  SnippetState(const SnippetPlan& plan, const op::StartPoint& at, std::int64_t segment_frames,
               std::int64_t width)
      : past(plan.window.rows_behind(), at.channel_count, at.first_frame),
        snippet(SampleType::float32, plan.window.frames(), width),
        queue(plan, segment_frames) {}
  std::vector<op::Counter> counters() const override { return queue.counters(); }
  PastRows past;
  Buffer snippet;
  SnippetQueue queue;
};

std::unique_ptr<op::Step> make_snippet_step(SnippetPlan plan, StreamInfo in,
                                            std::vector<Channel> columns);

/// `frames`: of the segment; `port`: of the step.
std::unique_ptr<op::DeviceStep> snippets_on(const op::DevicePlace& place, const op::StartPoint& at,
                                            const SnippetPlan& plan, std::int64_t frames,
                                            const op::Port& port);
std::size_t snippets_device_bytes(const SnippetPlan& plan, std::int64_t channels,
                                  const op::Port& port) noexcept;

}  // namespace weir::signal
