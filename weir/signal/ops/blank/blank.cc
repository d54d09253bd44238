#include "weir/signal/ops/blank/blank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/blank/blank_cl.h"
#include "weir/signal/ops/blank/blank_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<BlankMode>> names_of(BlankMode) {
  static constexpr op::EnumName<BlankMode> kNames[] = {{"zeros", BlankMode::zeros},
                                                       {"linear", BlankMode::linear}};
  return kNames;
}

namespace {
class BlankStep final : public op::Step {
 public:
  /// `around`: frames by segment, of which some may lie in no segment. `times`: how many there are.
  BlankStep(const Blank& params, const std::vector<std::vector<double>>& around, std::int64_t times,
            StreamInfo in)
      : times_(times) {
    std::int64_t longest = 0;
    const BlankReach reach = blank_reach(params, in.rate);
    for (std::size_t i = 0; i < in.segments.size(); ++i) {
      BlankPlan plan;
      plan.mode = params.mode;
      plan.frames = in.segments[i].frames;
      plan.stretches = blank_stretches(around[i], reach, plan.frames, inside_);
      for (const BlankStretch& stretch : plan.stretches) {
        longest = std::max(longest, stretch.end - stretch.first);
        blanked_ += stretch.end - stretch.first;
      }
      stretches_ += std::ssize(plan.stretches);
      plans_.push_back(std::move(plan));
    }
    for (BlankPlan& plan : plans_) {
      plan.reach = params.mode == BlankMode::linear ? longest : 0;
    }
    reach_ = params.mode == BlankMode::linear ? longest : 0;
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {reach_, reach_}; }
  std::int64_t settle_frames() const noexcept override { return reach_ + 1; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return Buffer::bytes_for(SampleType::float32, 2 * reach_ + 2, channels);
  }
  std::vector<std::string> decisions() const override {
    std::vector<std::string> lines{
        fmt::format("{} frames in {} stretches are blanked", blanked_, stretches_)};
    if (inside_ < times_) {
      lines.push_back(fmt::format("{} of {} times lie in no segment", times_ - inside_, times_));
    }
    return lines;
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<BlankState>(plan_of(at), at);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& blank = static_cast<BlankState&>(state);
    const Block<const float> rows = in.as<float>();
    const std::int64_t before = blank.emitted;
    const std::int64_t known = blank.fed + rows.frames();
    blank_rows(blank, rows, std::max(before, known - reach_), out[0].room.as<float>());
    out[0].frames = blank.emitted - before;
    const std::int64_t kept = blank.past.frames();
    for (std::int64_t i = std::max<std::int64_t>(0, rows.frames() - kept); i < rows.frames(); ++i) {
      std::copy_n(rows.row(i), blank.channels, blank.past.as<float>().row((blank.fed + i) % kept));
    }
    blank.fed = known;
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& blank = static_cast<BlankState&>(state);
    const std::int64_t before = blank.emitted;
    blank_rows(blank, {}, std::min(blank.fed, before + out[0].room.frames()),
               out[0].room.as<float>());
    out[0].frames = blank.emitted - before;
    return blank.emitted == blank.fed;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& blank = static_cast<const BlankState&>(state);
    to.put(blank.begun);
    to.put(blank.fed);
    to.put(blank.emitted);
    for (std::int64_t row = 0; row < blank.past.frames(); ++row) {
      to.put_all(std::span<const float>(blank.past.as<float>().row(row),
                                        static_cast<std::size_t>(blank.channels)));
    }
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& blank = static_cast<BlankState&>(state);
    blank.begun = from.get<std::int64_t>();
    blank.fed = from.get<std::int64_t>();
    blank.emitted = from.get<std::int64_t>();
    for (std::int64_t row = 0; row < blank.past.frames(); ++row) {
      from.get_all(std::span<float>(blank.past.as<float>().row(row),
                                    static_cast<std::size_t>(blank.channels)));
    }
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return blank_on(place, at, plan_of(at));
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    std::size_t most = 0;
    for (const BlankPlan& plan : plans_) {
      most = std::max(most, blank_device_bytes(plan, channels));
    }
    return most;
  }

 private:
  const BlankPlan& plan_of(const op::StartPoint& at) const {
    return plans_[static_cast<std::size_t>(at.segment)];
  }

  std::vector<BlankPlan> plans_;  ///< Of each segment.
  std::int64_t reach_ = 0;
  std::int64_t times_ = 0;
  std::int64_t inside_ = 0;
  std::int64_t stretches_ = 0;
  std::int64_t blanked_ = 0;
  std::vector<op::Port> ports_;
};

void refuse_times_beside_events(const Blank& params) {
  if (!params.times_s.empty() || !params.file.empty()) {
    throw Error(ErrorCode::invalid_spec,
                "times_s: events are given; they or times (times_s, file), not both");
  }
}

std::vector<double> given_times(const Blank& params) {
  std::vector<double> times = params.times_s;
  if (!params.file.empty()) {
    const auto more = in_context("file", [&] { return times_of_file(params.file); });
    times.insert(times.end(), more.begin(), more.end());
  } else if (times.empty()) {
    throw Error(
        ErrorCode::invalid_spec,
        "times_s: neither it nor file is given and no events come in, so nothing would be blanked");
  }
  for (const double time : times) {
    if (!std::isfinite(time)) {
      throw Error(ErrorCode::invalid_spec, fmt::format("times_s: {} is not a finite number", time));
    }
  }
  return times;
}

/// Events that are known beforehand are no more than times.
std::unique_ptr<op::Step> plan_known(const Blank& params, const std::vector<EventList>& events,
                                     const StreamInfo& in) {
  std::vector<std::vector<double>> around;
  std::int64_t count = 0;
  for (const EventList& list : events) {
    around.emplace_back();
    for (const Event& event : list) {
      around.back().push_back(static_cast<double>(event.onset));
    }
    count += std::ssize(list);
  }
  return std::make_unique<BlankStep>(params, around, count, in);
}

std::unique_ptr<op::Step> plan(const Blank& params, const op::StepContext& context) {
  if (context.events) {
    refuse_times_beside_events(params);
    return context.events->known != nullptr ? plan_known(params, *context.events->known, context.in)
                                            : plan_blank_events(params, context);
  }
  const std::vector<double> times = given_times(params);
  std::vector<std::vector<double>> around;
  around.reserve(context.in.segments.size());
  for (const Segment& segment : context.in.segments) {
    around.push_back(frames_of_times(times, segment, context.in.rate));
  }
  return std::make_unique<BlankStep>(params, around, std::ssize(times), context.in);
}
}  // namespace

const op::Operator& blank_operator() {
  using op::field;
  static const auto kMade =
      op::make_operator<Blank>(
          {.name = "blank",
           .summary = "Replace what stands around given times, as stimuli.",
           .schema =
               op::Schema<Blank>{
                   field("times_s", &Blank::times_s,
                         {.unit = "s", .doc = "On the recording's clock."}),
                   field(
                       "file", &Blank::file,
                       {.holds = op::Holds::path,
                        .doc = "More times: a number a line, or a table with commas and onset_s."}),
                   field("before_s", &Blank::before_s,
                         {.unit = "s", .min = 0, .max = 1000, .doc = "Blanked before each time."}),
                   field("after_s", &Blank::after_s,
                         {.unit = "s",
                          .min = 0,
                          .max = 1000,
                          .doc = "Blanked from each time on; at least one frame."}),
                   field("mode", &Blank::mode,
                         {.doc =
                              "zeros, or linear: a line from the sample before to the one after."}),
                   field("longest_event_s", &Blank::longest_event_s,
                         {.unit = "s",
                          .min = 0,
                          .max = 1e6,
                          .doc =
                              "Of events from another node: from the onset to the end; longer ones "
                              "are counted and left."})},
           .plan = plan,
           .device = kernels::kBlank,
           .takes_events = op::TakesEvents::if_given});
  return *kMade;
}

}  // namespace weir::signal
