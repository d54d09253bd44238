#pragma once

#include <cstdint>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/buffer.h"
#include "weir/core/event.h"
#include "weir/pipeline/plan/graph.h"

namespace weir::pipeline {

/// Takes what a graph node emits.
/// Threads: `rows` and `events` are called at once for different groups; `turn_over` alone.
class Sink {
 public:
  virtual ~Sink() = default;
  /// The next rows of one group's channels.
  virtual void rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) = 0;
  virtual void events(std::size_t group, const EventList& events) = 0;
  /// One snippet and its event, in their order, from one thread at a time.
  virtual void snippet(const Event& event, AnyBlock rows);
  /// Every group has delivered the same frames.
  virtual void turn_over() = 0;
};

/// How far each group has come in a round; they must end it together.
class GroupCursors {
 public:
  explicit GroupCursors(std::size_t groups) : at_(groups, 0) {}
  std::int64_t at(std::size_t group) const noexcept { return at_[group]; }
  void advance(std::size_t group, std::int64_t frames) noexcept { at_[group] += frames; }
  /// Frames of the round; starts the next. Errors: `internal` when the groups disagree.
  std::int64_t take();

 private:
  std::vector<std::int64_t> at_;
};

/// Puts the groups' columns side by side again, for steps that work across channels and for fits.
class Gather final : public Sink {
 public:
  Gather(const StreamInfo& stream, std::size_t groups, std::int64_t capacity);
  void rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) override;
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {}
  /// All rows since the last call. Lives: until the next `rows`.
  AnyBlock take();

 private:
  Buffer buffer_;
  GroupCursors cursors_;
};

/// Hands the snippets of a node to all its sinks.
class SnippetFan final : public op::SnippetReceiver {
 public:
  explicit SnippetFan(const std::vector<Sink*>& sinks) : sinks_(sinks) {}
  void snippet(const Event& event, AnyBlock rows) override {
    bytes_ += rows.frames() * rows.stride() * static_cast<std::int64_t>(size_of(rows.type()));
    for (Sink* sink : sinks_) {
      sink->snippet(event, rows);
    }
  }
  /// Of all that were handed on.
  std::int64_t bytes() const noexcept { return bytes_; }

 private:
  const std::vector<Sink*>& sinks_;
  std::int64_t bytes_ = 0;
};

}  // namespace weir::pipeline
