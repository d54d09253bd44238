#include <limits>

#include "weir/testing/fake_step_internal.h"

namespace weir::testing {
namespace {
struct Detector {
  double level = 60;
};

class DetectorStep final : public FakeStep {
 public:
  struct Watch {
    float previous = std::numeric_limits<float>::quiet_NaN();
    bool open = false;
    Event event;
  };
  struct DetectorState final : op::State {
    std::vector<Watch> channels;
    op::StartPoint at;
    std::int64_t frame = 0;
    EventList late;
  };
  DetectorStep(const Detector& detector, const op::StepContext& context, Fault fault)
      : FakeStep({.name = "events", .kind = op::PortKind::events, .stream = context.in}, fault),
        level_(static_cast<float>(detector.level)) {}
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return static_cast<std::size_t>(channels) * sizeof(Watch);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<DetectorState>();
    state->channels.resize(static_cast<std::size_t>(at.channel_count));
    state->at = at;
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<DetectorState&>(state);
    for (std::int64_t row = 0; row < in.frames(); ++row, ++own.frame) {
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        step(own, channel, in.as<float>()(row, channel), *out[0].events);
      }
    }
    if (fault_ == Fault::unordered_events) {
      std::swap(own.late, *out[0].events);  // emits what the block before found
    }
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<DetectorState&>(state);
    EventList& events = *out[0].events;
    events.insert(events.end(), own.late.begin(), own.late.end());
    for (auto& watch : own.channels) {
      if (watch.open) {
        watch.event.final = own.frame;
        events.push_back(watch.event);
      }
    }
    return true;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    to.put_all(static_cast<const DetectorState&>(state).channels);
    to.put(static_cast<const DetectorState&>(state).frame);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<DetectorState&>(state);
    from.get_all(std::span<Watch>(own.channels));
    own.frame = from.get<std::int64_t>();
  }

 private:
  void step(DetectorState& state, std::int64_t channel, float value, EventList& events) const {
    Watch& watch = state.channels[static_cast<std::size_t>(channel)];
    if (watch.open && value < level_) {
      watch.open = false;
      watch.event.offset = watch.event.final = state.frame;
      events.push_back(watch.event);
    } else if (watch.open && value > watch.event.peak_value) {
      watch.event.peak = state.frame;
      watch.event.peak_value = value;
    } else if (!watch.open && watch.previous < level_ && value >= level_) {
      const std::int64_t first = fault_ == Fault::wrong_event_channel ? 0 : state.at.first_channel;
      watch.open = true;
      watch.event = Event{.onset = state.frame,
                          .offset = Event::kOpen,
                          .peak = state.frame,
                          .final = state.frame,
                          .peak_value = value,
                          .channel = static_cast<std::int32_t>(first + channel),
                          .segment = static_cast<std::uint32_t>(state.at.segment),
                          .polarity = 1};
    }
    watch.previous = value;
  }
  float level_;
};
}  // namespace

std::unique_ptr<op::Operator> fake_detector(Fault fault) {
  return op::make_operator(op::OperatorParts<Detector>{
      .name = "fake_detector",
      .summary = "Finds what stands out.",
      .schema = op::Schema<Detector>{op::field("level", &Detector::level, {.doc = "In counts."})},
      .plan = [fault](const Detector& detector, const op::StepContext& context) {
        return std::make_unique<DetectorStep>(detector, context, fault);
      }});
}

}  // namespace weir::testing
