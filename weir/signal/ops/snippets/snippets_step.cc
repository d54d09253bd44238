#include <fmt/format.h>

#include <algorithm>

#include "weir/signal/ops/snippets/snippets_internal.h"

namespace weir::signal {

void SnippetQueue::hear(std::span<const Event> events) {
  for (const Event& event : events) {
    const std::int64_t first = first_row(event);
    const bool whole = first >= 0 && first + plan_->window.frames() <= frames_;
    if (plan_->window.too_long(event)) {
      ++too_long_;
    } else if (plan_->edge == SnippetEdge::skip && !whole) {
      ++cut_;
    } else {
      events_.push(event);
    }
  }
}

const Event* SnippetQueue::due(std::int64_t known) const {
  if (events_.empty()) {
    return nullptr;
  }
  const Event& next = events_.front();
  return std::min(first_row(next) + plan_->window.frames(), frames_) <= known ? &next : nullptr;
}

std::vector<op::Counter> SnippetQueue::counters() const {
  return {{"events without a snippet: longer than longest_event_s", too_long_},
          {"events without a snippet: it would reach over an end of the segment", cut_}};
}

void SnippetQueue::save(op::ByteWriter& to) const {
  events_.save(to);
  to.put(too_long_);
  to.put(cut_);
}

void SnippetQueue::load(op::ByteReader& from) {
  events_.load(from);
  too_long_ = from.get<std::int64_t>();
  cut_ = from.get<std::int64_t>();
}

namespace {
class SnippetStep final : public op::Step {
 public:
  SnippetStep(SnippetPlan plan, StreamInfo in, std::vector<Channel> columns)
      : plan_(std::move(plan)), all_(in.channel_count()), segments_(in.segments) {
    in.channels = std::move(columns);
    in.type = SampleType::float32;
    ports_.push_back({.name = "snippets",
                      .kind = op::PortKind::snippets,
                      .stream = std::move(in),
                      .snippet_frames = plan_.window.frames(),
                      .snippet_before_frames = plan_.window.before});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  op::Latency latency() const noexcept override {
    return {plan_.window.known_after(), plan_.window.known_after()};
  }
  std::int64_t settle_frames() const noexcept override { return plan_.window.rows_behind(); }
  std::int64_t max_output(std::int64_t) const noexcept override { return 0; }
  double tolerance() const noexcept override { return 1e-7; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    constexpr std::size_t kWaiting = 4096 * sizeof(Event);
    return PastRows::bytes_for(plan_.window.rows_behind(), channels) +
           Buffer::bytes_for(SampleType::float32, plan_.window.frames(), width()) + kWaiting;
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("{} frames around the {} of each event ({} before), {} channels",
                        plan_.window.frames(),
                        plan_.window.align == EventAlign::peak ? "peak" : "onset",
                        plan_.window.before, width()),
            fmt::format("{} rows are kept until events are known", plan_.window.rows_behind())};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<SnippetState>(plan_, at, frames_of(at), width());
  }
  bool hears() const noexcept override { return true; }
  void hear(op::State& state, std::span<const Event> events) const override {
    static_cast<SnippetState&>(state).queue.hear(events);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<SnippetState&>(state);
    const Block<const float> rows = in.as<float>();
    emit(own, rows, own.past.next() + rows.frames(), *out[0].snippets);
    own.past.push(rows);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<SnippetState&>(state);
    own.queue.end_at(own.past.next());
    emit(own, {}, own.past.next(), *out[0].snippets);
    return true;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const SnippetState&>(state);
    own.past.save(to);
    own.queue.save(to);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<SnippetState&>(state);
    own.past.load(from);
    own.queue.load(from);
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return snippets_on(place, at, plan_, frames_of(at), ports_.front());
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return snippets_device_bytes(plan_, channels, ports_.front());
  }

 private:
  std::int64_t width() const noexcept { return ports_.front().stream.channel_count(); }
  std::int64_t frames_of(const op::StartPoint& at) const {
    return segments_[static_cast<std::size_t>(at.segment)].frames;
  }

  /// The snippets whose last row has come, in the order of their events.
  void emit(SnippetState& own, Block<const float> in, std::int64_t known,
            op::SnippetReceiver& to) const {
    while (const Event* event = own.queue.due(known)) {
      cut(own, in, *event);
      to.snippet(*event, own.snippet.block());
      own.queue.pop();
    }
  }

  void cut(const SnippetState& own, Block<const float> in, const Event& event) const {
    const Block<float> to = own.snippet.as<float>();
    const std::int64_t first = own.queue.first_row(event);
    for (std::int64_t row = 0; row < to.frames(); ++row) {
      const std::int64_t frame = first + row;
      if (frame < own.past.first() || frame >= own.queue.frames()) {
        std::fill_n(to.row(row), to.channels(), 0.0F);
      } else {
        pick(own.past.row(frame, in), event, to.row(row));
      }
    }
  }

  void pick(const float* from, const Event& event, float* to) const {
    if (plan_.picks.empty()) {
      std::copy_n(from, all_, to);
      return;
    }
    const auto& picks = plan_.picks[static_cast<std::size_t>(event.channel)];
    std::size_t column = 0;
    for (; column < picks.size(); ++column) {
      const auto channel = static_cast<std::size_t>(picks[column]);
      to[column] = from[channel] * plan_.gain[channel];
    }
    std::fill(to + column, to + width(), 0.0F);
  }

  SnippetPlan plan_;
  std::int64_t all_;
  std::vector<Segment> segments_;
  std::vector<op::Port> ports_;
};
}  // namespace

std::unique_ptr<op::Step> make_snippet_step(SnippetPlan plan, StreamInfo in,
                                            std::vector<Channel> columns) {
  return std::make_unique<SnippetStep>(std::move(plan), std::move(in), std::move(columns));
}

}  // namespace weir::signal
