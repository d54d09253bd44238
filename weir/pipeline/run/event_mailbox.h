#pragma once

#include <memory>
#include <mutex>
#include <set>

#include "weir/op/bytes.h"
#include "weir/op/event_feed.h"
#include "weir/pipeline/plan/graph.h"
#include "weir/pipeline/run/sink.h"

namespace weir::pipeline {

/// The events input of one step in one segment. What is in it beside what the step was given is
/// saved with the run.
class EventMailbox : public op::EventFeed {
 public:
  virtual void save(op::ByteWriter& to) const = 0;
  virtual void load(op::ByteReader& from) = 0;
};

/// Events as a detector finds them. Threads: any group may deliver while the step takes.
class FoundEvents final : public EventMailbox, public Sink {
 public:
  /// Errors: `internal` from `events` when one comes later than the plan said it can.
  FoundEvents(SampleMap map, std::int64_t lag_frames) : map_(map), lag_frames_(lag_frames) {}

  void take(std::int64_t frames, EventList& into) override;
  void take_rest(EventList& into) override;
  void save(op::ByteWriter& to) const override;
  void load(op::ByteReader& from) override;

  void rows(std::size_t, const ChannelGroup&, AnyBlock) override {}
  void events(std::size_t group, const EventList& events) override;
  void turn_over() override {}

 private:
  struct RowOrder {
    bool operator()(const Event& a, const Event& b) const noexcept { return row_before(a, b); }
  };
  SampleMap map_;
  std::int64_t lag_frames_;
  mutable std::mutex mutex_;
  std::multiset<Event, RowOrder> waiting_;  ///< Equals in the order in which they came.
  std::int64_t taken_before_ = 0;           ///< Every event final before it has been given.
};

/// Events known beforehand.
class GivenEvents final : public EventMailbox {
 public:
  GivenEvents(std::shared_ptr<const KnownEvents> known, std::int64_t segment,
              std::int64_t lag_frames);
  void take(std::int64_t frames, EventList& into) override;
  void take_rest(EventList& into) override;
  void save(op::ByteWriter& to) const override { to.put(next_); }
  void load(op::ByteReader& from) override;

 private:
  std::shared_ptr<const KnownEvents> known_;
  const EventList& list_;
  std::int64_t lag_frames_;
  std::size_t next_ = 0;
};

/// For node `index` of a graph.
std::unique_ptr<EventMailbox> make_mailbox(const Graph& graph, std::int64_t index,
                                           std::int64_t segment);

}  // namespace weir::pipeline
