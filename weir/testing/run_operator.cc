#include <algorithm>
#include <optional>

#include "weir/op/run_step.h"
#include "weir/testing/bound_step.h"

namespace weir::testing {
namespace {
/// One segment and one group of channels, from start to finish.
class GroupRun final : private op::SnippetReceiver {
 public:
  GroupRun(const BoundStep& bound, const op::StartPoint& at, const Cuts& cuts,
           std::int64_t first_out, Outcome& outcome)
      : bound_(bound),
        step_(*bound.step),
        at_(at),
        cuts_(cuts),
        next_(first_out),
        outcome_(outcome) {}

  /// Returns the first output row after this segment's.
  std::int64_t over(AnyBlock data) {
    const auto longest = std::max_element(cuts_.frames.begin(), cuts_.frames.end());
    max_frames_ = std::max<std::int64_t>(
        1, longest == cuts_.frames.end() ? data.frames() : std::min(*longest, data.frames()));
    feed_ = feed_of(bound_, at_.segment);
    make_run();
    for_each_cut(cuts_, data.frames(), [&](std::int64_t first, std::int64_t count) {
      run_->push(data.slice(first, count), receiver());
      if (cuts_.reload_state) {
        reload();
      }
    });
    run_->finish(receiver());
    add_counters(run_->state().counters(), outcome_);
    return next_;
  }

 private:
  void snippet(const Event& event, AnyBlock rows) override {
    append_rows(rows, next_, 0, outcome_.samples);
    next_ += rows.frames();
    outcome_.events.push_back(event);
  }

  op::Receiver receiver() {
    const std::int64_t first_column = at_.first_channel * step_.ports().front().spread;
    return [this, first_column](AnyBlock block, EventList& events) {
      append_rows(block, next_, first_column, outcome_.samples);
      next_ += block.frames();
      outcome_.events.insert(outcome_.events.end(), events.begin(), events.end());
    };
  }

  void make_run() {
    run_.emplace(step_, at_, max_frames_);
    run_->deliver_snippets(*this);
    if (feed_ != nullptr) {
      run_->connect(*feed_);
    }
  }

  void reload() {
    op::ByteWriter bytes;
    run_->save(bytes);
    make_run();
    op::ByteReader reader(bytes.bytes());
    run_->load(reader);
    if (!reader.at_end()) {
      throw Error(ErrorCode::corrupt_data, "load leaves bytes that save wrote");
    }
  }

  const BoundStep& bound_;
  const op::Step& step_;
  op::StartPoint at_;
  const Cuts& cuts_;
  std::int64_t next_;
  Outcome& outcome_;
  std::int64_t max_frames_ = 1;
  std::unique_ptr<ListFeed> feed_;
  std::optional<op::StepRun> run_;
};
}  // namespace

Outcome run_bound(const BoundStep& bound, AnyBlock data, const Cuts& cuts) {
  Outcome outcome;
  for_each_group(bound, data, cuts, outcome,
                 [&](const op::StartPoint& at, AnyBlock rows, std::int64_t first_out) {
                   return GroupRun(bound, at, cuts, first_out, outcome).over(rows);
                 });
  return outcome;
}

Outcome run_operator(const op::Operator& op, const Value& params, const StreamInfo& stream,
                     const Samples& in, const Cuts& cuts,
                     const std::optional<GivenEvents>& events) {
  if (in.frames != stream.total_frames() || in.channels != stream.channel_count()) {
    throw Error(ErrorCode::internal, "run_operator: the samples do not have the stream's shape");
  }
  BoundStep bound = bind(op, params, stream, events);
  const Buffer data = formed(bound, stream, in);
  fit(bound, data.block(), cuts);
  if (bound.step->relabels_only()) {
    Outcome outcome;
    outcome.samples.channels = in.channels;
    append_rows(data.block(), 0, 0, outcome.samples);
    return outcome;
  }
  return run_bound(bound, data.block(), cuts);
}

}  // namespace weir::testing
