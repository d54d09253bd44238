#pragma once

#include <string>
#include <vector>

#include "weir/testing/bound_step.h"

namespace weir::testing {

/// Drives one step over one segment without `StepRun`: its blocks stand on odd addresses, its rooms
/// have guard rows around them, and what a step does to memory that is not its own is noted in
/// `broken`.
class GuardedRun final : private op::SnippetReceiver {
 public:
  GuardedRun(const BoundStep& bound, const op::StartPoint& at, std::int64_t max_frames);

  /// Whole grids; only the segment's last block may be shorter.
  void push(AnyBlock in);
  void finish();

  const Samples& samples() const noexcept { return samples_; }
  const EventList& events() const noexcept { return events_; }
  const std::vector<std::string>& broken() const noexcept { return broken_; }

 private:
  void snippet(const Event& event, AnyBlock rows) override;
  op::Emission room_for(std::int64_t frames);
  void take(op::Emission& out, const std::string& call);
  void take_events(const std::string& call);
  AnyBlock misplaced(AnyBlock in);

  const BoundStep& bound_;
  op::StartPoint at_;
  std::int64_t max_frames_;
  std::unique_ptr<op::State> state_;
  std::unique_ptr<ListFeed> feed_;
  std::int64_t given_ = 0;
  std::vector<std::byte> room_;
  std::vector<std::byte> block_;
  EventList fresh_;
  std::int64_t last_final_ = -1;
  Samples samples_;
  EventList events_;
  std::vector<std::string> broken_;
};

}  // namespace weir::testing
