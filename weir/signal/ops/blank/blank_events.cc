#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weir/signal/event_window.h"
#include "weir/signal/ops/blank/blank_internal.h"
#include "weir/signal/past_rows.h"

// Times that come as events while the stream goes by: rows wait until every event that could blank
// them is known.
namespace weir::signal {
namespace {
constexpr std::int64_t kRowsAtOnce = 64;

struct BlankEventsState final : op::State {
  BlankEventsState(const EventWindow& window, const op::StartPoint& at)
      : past(window.rows_behind() + kRowsAtOnce, at.channel_count, at.first_frame),
        emitted(at.first_frame) {}
  std::vector<op::Counter> counters() const override {
    return {{"events not blanked: longer than longest_event_s", too_long},
            {"frames blanked around events", blanked}};
  }
  PastRows past;
  std::int64_t emitted;
  std::vector<BlankStretch> stretches;  ///< By first frame; those that have passed are gone.
  std::int64_t too_long = 0;
  std::int64_t blanked = 0;
};

class BlankEventsStep final : public op::Step {
 public:
  BlankEventsStep(const EventWindow& window, StreamInfo in) : window_(window) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  op::Latency latency() const noexcept override {
    return {window_.rows_behind(), window_.rows_behind()};
  }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    constexpr std::size_t kWaiting = 4096 * sizeof(BlankStretch);
    return PastRows::bytes_for(window_.rows_behind() + kRowsAtOnce, channels) + kWaiting;
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("{} frames around the onset of each event ({} before) are 0",
                        window_.frames(), window_.before)};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<BlankEventsState>(window_, at);
  }
  bool hears() const noexcept override { return true; }
  void hear(op::State& state, std::span<const Event> events) const override {
    auto& own = static_cast<BlankEventsState&>(state);
    for (const Event& event : events) {
      if (window_.too_long(event)) {
        ++own.too_long;
        continue;
      }
      const BlankStretch stretch{event.onset - window_.before, event.onset + window_.after};
      const auto after =
          std::ranges::upper_bound(own.stretches, stretch.first, {}, &BlankStretch::first);
      own.stretches.insert(after, stretch);
    }
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<BlankEventsState&>(state);
    const Block<const float> rows = in.as<float>();
    for (std::int64_t first = 0; first < rows.frames(); first += kRowsAtOnce) {
      own.past.push(rows.slice(first, std::min(kRowsAtOnce, rows.frames() - first)));
      emit(own, own.past.next() - window_.rows_behind(), out[0]);
    }
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<BlankEventsState&>(state);
    emit(own, std::min(own.past.next(), own.emitted + out[0].room.frames()), out[0]);
    return own.emitted == own.past.next();
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const BlankEventsState&>(state);
    own.past.save(to);
    to.put(own.emitted);
    to.put_all(own.stretches);
    to.put(own.too_long);
    to.put(own.blanked);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<BlankEventsState&>(state);
    own.past.load(from);
    own.emitted = from.get<std::int64_t>();
    own.stretches = from.get_vector<BlankStretch>();
    own.too_long = from.get<std::int64_t>();
    own.blanked = from.get<std::int64_t>();
  }

 private:
  /// Every stretch has one length, so they end in the order in which they begin.
  static void emit(BlankEventsState& own, std::int64_t end, op::Emission& out) {
    const Block<float> to = out.room.as<float>();
    std::size_t passed = 0;
    for (; own.emitted < end; ++own.emitted, ++out.frames) {
      while (passed < own.stretches.size() && own.stretches[passed].end <= own.emitted) {
        ++passed;
      }
      const bool blank =
          passed < own.stretches.size() && own.stretches[passed].first <= own.emitted;
      if (blank) {
        std::fill_n(to.row(out.frames), to.channels(), 0.0F);
        ++own.blanked;
      } else {
        std::copy_n(own.past.row(own.emitted), to.channels(), to.row(out.frames));
      }
    }
    own.stretches.erase(own.stretches.begin(),
                        own.stretches.begin() + static_cast<std::ptrdiff_t>(passed));
  }

  EventWindow window_;
  std::vector<op::Port> ports_;
};
}  // namespace

std::unique_ptr<op::Step> plan_blank_events(const Blank& params, const op::StepContext& context) {
  if (params.mode != BlankMode::zeros) {
    throw Error(
        ErrorCode::invalid_spec,
        "mode: linear needs to know where a stretch ends before it begins: a table of events "
        "(read_events) or times can be blanked so; events that are found on the way are "
        "blanked with zeros");
  }
  EventWindow window =
      make_event_window({.pre_s = params.before_s,
                         .post_s = std::max(params.after_s, 1 / context.in.rate.hz()),
                         .align = EventAlign::onset,
                         .longest_event_s = params.longest_event_s},
                        context);
  return std::make_unique<BlankEventsStep>(window, context.in);
}

}  // namespace weir::signal
