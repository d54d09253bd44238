#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/core/error.h"
#include "weir/op/step.h"
#include "weir/signal/ops/peaks/peaks_internal.h"
#include "weir/signal/ops/peaks/peaks_step_internal.h"
#include "weir/signal/spread_fit.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// What kernels read, padded.
PeakPlan make_plan(const Peaks& params, const StreamInfo& in, const std::vector<double>& scale) {
  PeakPlan plan{peak_rules(params, in.rate),
                peak_levels(params, in.channels, scale),
                competitors(params, in),
                {},
                {}};
  const auto padded = static_cast<std::size_t>(padded_channels(in.channel_count()));
  plan.sign.assign(2 * padded, 1.0F);
  plan.least.assign(padded, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t c = 0; c < plan.levels.size(); ++c) {
    plan.sign[c] = plan.levels[c].sign;
    plan.sign[padded + c] = -plan.levels[c].sign;
    plan.least[c] = plan.levels[c].least;
  }
  return plan;
}

void save_lanes(const std::vector<PeakLane>& lanes, op::ByteWriter& to) {
  for (const PeakLane& lane : lanes) {
    to.put(lane.start);
    to.put(lane.before);
    to.put(lane.value);
    to.put<std::uint64_t>(lane.candidates.size());
    for (const PeakCandidate& one : lane.candidates) {
      to.put(one.start);
      to.put(one.end);
      to.put(one.value);
      to.put(one.fate);
    }
  }
}

void load_lanes(std::vector<PeakLane>& lanes, op::ByteReader& from) {
  for (PeakLane& lane : lanes) {
    lane.start = from.get<std::int64_t>();
    lane.before = from.get<float>();
    lane.value = from.get<float>();
    lane.candidates.clear();
    for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
      PeakCandidate one;
      one.start = from.get<std::int64_t>();
      one.end = from.get<std::int64_t>();
      one.value = from.get<float>();
      one.fate = from.get<PeakFate>();
      lane.candidates.push_back(one);
    }
  }
}

class PeaksStep final : public op::Step {
 public:
  PeaksStep(const Peaks& params, const StreamInfo& in, FitPlace place, std::vector<double> scale)
      : params_(params),
        plan_(make_plan(params, in, scale)),
        place_(std::move(place)),
        scale_(std::move(scale)) {
    ports_.push_back({.name = "events", .kind = op::PortKind::events, .stream = in});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override {
    return params_.radius_um ? op::Parallel::none : op::Parallel::channels;
  }
  std::int64_t settle_frames() const noexcept override { return plan_.rules.horizon + 1; }
  std::int64_t max_output(std::int64_t) const noexcept override { return 0; }
  double tolerance() const noexcept override { return 0; }

  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    const PeakRules& rules = plan_.rules;
    const auto lanes = static_cast<std::size_t>(padded_channels(channels)) *
                       (std::size_t{rules.pos} + std::size_t{rules.neg});
    // Every second sample may be a peak. Vectors grow by doubling; a selection takes twice as much
    // again, and a bit.
    const auto most = static_cast<std::size_t>(
        rules.horizon > 0 ? (rules.horizon + 2 * kPeakGrid) / 2 + 1 : std::int64_t{0});
    return lanes * (sizeof(PeakLane) + 64 + most * 6 * sizeof(PeakCandidate)) +
           Buffer::bytes_for(SampleType::float32, 1, channels) +
           (rules.measures() ? Buffer::bytes_for(SampleType::float32, rules.kept_rows(), channels)
                             : 0);
  }
  std::size_t temporary_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_temporary_bytes(in(), place_.memory_bytes);
  }
  std::size_t fitter_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_bytes(in(), place_.memory_bytes);
  }
  std::size_t fitter_task_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_task_bytes(in());
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    WEIR_CHECK(measured());
    auto state = std::make_unique<PeakState>();
    state->at = at;
    state->next_frame = at.first_frame;
    const auto lanes = static_cast<std::size_t>(at.channel_count);
    state->above.resize(plan_.rules.pos ? lanes : 0);
    state->below.resize(plan_.rules.neg ? lanes : 0);
    state->previous = Buffer(SampleType::float32, 1, at.channel_count);
    std::fill_n(state->previous.as<float>().row(0), padded_channels(at.channel_count),
                std::numeric_limits<float>::quiet_NaN());
    if (plan_.rules.measures()) {
      state->rows = Buffer(SampleType::float32, plan_.rules.kept_rows(), at.channel_count);
    }
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    if (in.frames() > 0) {
      auto& now = static_cast<PeakState&>(state);
      EventList& events = *out[0].events;
      const auto already = static_cast<std::ptrdiff_t>(events.size());
      scan_peaks(plan_, now, in.as<float>(), events);
      emit_peaks(plan_, now, now.next_frame, events);
      std::sort(events.begin() + already, events.end(), row_before);
    }
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& now = static_cast<PeakState&>(state);
    EventList& events = *out[0].events;
    const auto already = static_cast<std::ptrdiff_t>(events.size());
    select_peaks(plan_, now, now.next_frame, true);
    emit_peaks(plan_, now, kForever, events);
    std::sort(events.begin() + already, events.end(), row_before);
    return true;
  }

  bool runs_on(const compute::Target& target) const noexcept override {
    return target.fp64 || !plan_.rules.needs_float64();
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    WEIR_CHECK(measured());
    return runs_on(place.device.target()) ? peaks_on(place, plan_, at) : nullptr;
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return peaks_device_bytes(plan_, channels, frames);
  }
  std::int64_t max_events(std::int64_t channels, std::int64_t frames) const noexcept override {
    const std::int64_t most = plan_.rules.pos && plan_.rules.neg ? frames : (frames + 1) / 2;
    return channels * std::max<std::int64_t>(1, most);
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& from = static_cast<const PeakState&>(state);
    const auto channels = static_cast<std::size_t>(from.at.channel_count);
    to.put(from.next_frame);
    to.put(from.forced);
    to.put(from.too_flat);
    save_lanes(from.above, to);
    save_lanes(from.below, to);
    to.put_all(std::span<const float>(from.previous.as<float>().row(0), channels));
    for (std::int64_t row = 0; row < from.rows.frames(); ++row) {
      to.put_all(std::span<const float>(from.rows.as<float>().row(row), channels));
    }
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& into = static_cast<PeakState&>(state);
    const auto channels = static_cast<std::size_t>(into.at.channel_count);
    into.next_frame = from.get<std::int64_t>();
    into.forced = from.get<std::int64_t>();
    into.too_flat = from.get<std::int64_t>();
    load_lanes(into.above, from);
    load_lanes(into.below, from);
    from.get_all(std::span(into.previous.as<float>().row(0), channels));
    for (std::int64_t row = 0; row < into.rows.frames(); ++row) {
      from.get_all(std::span(into.rows.as<float>().row(row), channels));
    }
  }

  op::Fit fit() const noexcept override { return measured() ? op::Fit::none : op::Fit::sample; }
  std::unique_ptr<op::Fitter> fitter() const override {
    return make_spread_fitter(params_.height_unit == HeightUnit::mad ? Spread::mad : Spread::sd,
                              in(), place_);
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    const auto& list = values.at("scale").as_array();
    if (list.size() != in().channels.size()) {
      throw Error(ErrorCode::invalid_spec, fmt::format("scale: {} values for {} channels",
                                                       list.size(), in().channels.size()));
    }
    std::vector<double> scale;
    scale.reserve(list.size());
    for (const Value& value : list) {
      scale.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                      : value.as_number());
    }
    return std::make_unique<PeaksStep>(params_, in(), place_, std::move(scale));
  }
  std::vector<std::string> decisions() const override {
    const PeakRules& rules = plan_.rules;
    std::vector<std::string> lines;
    lines.push_back(
        fmt::format("{}; distance {} frames, wlen {} frames; final {} frames after the peak",
                    op::Codec<PeakSign>::write(params_.peak_sign).as_string(), rules.distance,
                    rules.measures() ? 2 * rules.half_window + 1 : 0, rules.horizon));
    if (!measured()) {
      lines.push_back(fmt::format("{} measured per channel from at most {} frames before the run",
                                  op::Codec<HeightUnit>::write(params_.height_unit).as_string(),
                                  sample_fit_frames(in())));
    }
    return lines;
  }

 private:
  const StreamInfo& in() const noexcept { return ports_.front().stream; }
  bool measured() const noexcept { return scale_.size() == plan_.levels.size(); }

  Peaks params_;
  PeakPlan plan_;
  FitPlace place_;
  std::vector<double> scale_;  ///< Empty until fitted.
  std::vector<op::Port> ports_;
};
}  // namespace

std::unique_ptr<op::Step> plan_peaks_step(const Peaks& params, const op::StepContext& context) {
  std::vector<double> scale;
  if (params.height_unit == HeightUnit::signal) {
    scale.assign(context.in.channels.size(), 1.0);
  }
  return std::make_unique<PeaksStep>(params, context.in,
                                     FitPlace{context.memory_bytes, context.temporary_folder},
                                     std::move(scale));
}

}  // namespace weir::signal
