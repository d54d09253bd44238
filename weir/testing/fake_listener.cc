#include <algorithm>
#include <deque>

#include "weir/core/buffer.h"
#include "weir/testing/fake_step_internal.h"

namespace weir::testing {
namespace {
struct Listener {
  std::int64_t longest = 50;
};

class ListenerStep final : public FakeStep {
 public:
  struct ListenerState final : op::State {
    std::deque<float> waiting;  ///< [frames, channels], from `emitted` on.
    std::deque<float> marks;    ///< [frames].
    std::int64_t channels = 0;
    std::int64_t given = 0;
    std::int64_t emitted = 0;
    std::int64_t skipped = 0;
    std::vector<op::Counter> counters() const override {
      return {{"events longer than longest", skipped}};
    }
  };
  ListenerStep(const Listener& listener, const op::StepContext& context, Fault fault)
      : FakeStep(same_signal(context.in, fault), fault),
        longest_(listener.longest),
        behind_(longest_ + (context.events ? context.events->lag_frames : 0)) {}
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  op::Latency latency() const noexcept override { return {behind_, behind_}; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    // A deque's blocks and their map, for the rows behind and those of one block.
    return static_cast<std::size_t>((channels + 1) * (behind_ + 3100)) * sizeof(float) * 2 + 8192;
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<ListenerState>();
    state->channels = at.channel_count;
    state->given = state->emitted = at.first_frame;
    return state;
  }
  bool hears() const noexcept override { return true; }
  void hear(op::State& state, std::span<const Event> events) const override {
    auto& own = static_cast<ListenerState&>(state);
    for (const Event& event : events) {
      if (event.final - event.onset > longest_) {
        ++own.skipped;
        continue;
      }
      mark(own, event.onset);
      mark(own, event.peak);
    }
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<ListenerState&>(state);
    for (std::int64_t row = 0; row < in.frames(); ++row) {
      const float* first = in.as<float>().row(row);
      own.waiting.insert(own.waiting.end(), first, first + own.channels);
    }
    own.given += in.frames();
    emit(own, std::max(own.emitted, own.given - behind_), out[0]);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<ListenerState&>(state);
    emit(own, std::min(own.given, own.emitted + out[0].room.frames()), out[0]);
    return own.emitted == own.given;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const ListenerState&>(state);
    to.put(own.given);
    to.put(own.emitted);
    to.put(own.skipped);
    to.put_all(std::vector<float>(own.waiting.begin(), own.waiting.end()));
    to.put_all(std::vector<float>(own.marks.begin(), own.marks.end()));
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<ListenerState&>(state);
    own.given = from.get<std::int64_t>();
    own.emitted = from.get<std::int64_t>();
    own.skipped = from.get<std::int64_t>();
    const auto waiting = from.get_vector<float>();
    const auto marks = from.get_vector<float>();
    own.waiting.assign(waiting.begin(), waiting.end());
    own.marks.assign(marks.begin(), marks.end());
  }

 private:
  void mark(ListenerState& own, std::int64_t frame) const {
    const std::int64_t at =
        fault_ == Fault::answers_when_told ? own.given - own.emitted : frame - own.emitted;
    if (at >= 0) {
      own.marks.resize(std::max(own.marks.size(), static_cast<std::size_t>(at) + 1), 0.0F);
      own.marks[static_cast<std::size_t>(at)] += 1.0F;
    }
  }
  void emit(ListenerState& own, std::int64_t end, op::Emission& out) const {
    for (; own.emitted < end; ++own.emitted, ++out.frames) {
      const float marks = own.marks.empty() ? 0.0F : own.marks.front();
      if (!own.marks.empty()) {
        own.marks.pop_front();
      }
      float* row = out.room.as<float>().row(out.frames);
      for (std::int64_t c = 0; c < own.channels; ++c) {
        row[c] = own.waiting.front() + marks;
        own.waiting.pop_front();
      }
    }
  }
  std::int64_t longest_;
  std::int64_t behind_;
};
}  // namespace

std::unique_ptr<op::Operator> fake_listener(Fault fault) {
  return op::make_operator(op::OperatorParts<Listener>{
      .name = "fake_listener",
      .summary = "Adds one where an event has its onset or its peak.",
      .schema =
          op::Schema<Listener>{op::field("longest", &Listener::longest, {.min = 0, .max = 1000})},
      .plan =
          [fault](const Listener& listener, const op::StepContext& context) {
            return std::make_unique<ListenerStep>(listener, context, fault);
          },
      .takes_events = op::TakesEvents::always});
}

}  // namespace weir::testing
