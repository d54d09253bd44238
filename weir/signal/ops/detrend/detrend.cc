#include "weir/signal/ops/detrend/detrend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/compute/target.h"
#include "weir/signal/ops/detrend/detrend_cl.h"
#include "weir/signal/ops/detrend/detrend_internal.h"
#include "weir/signal/running_step.h"

namespace weir::signal {

static std::span<const op::EnumName<DetrendType>> names_of(DetrendType) {
  static constexpr op::EnumName<DetrendType> kNames[] = {{"linear", DetrendType::linear},
                                                         {"constant", DetrendType::constant}};
  return kNames;
}

static std::span<const op::EnumName<DetrendScope>> names_of(DetrendScope) {
  static constexpr op::EnumName<DetrendScope> kNames[] = {{"global", DetrendScope::global},
                                                          {"running", DetrendScope::running}};
  return kNames;
}

namespace {
class SegmentDetrend final : public op::Step {
 public:
  SegmentDetrend(DetrendType type, StreamInfo in, std::vector<Trend> trends)
      : type_(type), trends_(std::move(trends)) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  double tolerance() const noexcept override { return 1e-7; }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    WEIR_CHECK(measured());
    auto state = std::make_unique<DetrendState>();
    state->at = at;
    state->next_frame = at.first_frame;
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& detrend = static_cast<DetrendState&>(state);
    detrend_rows(trend_of(detrend.at), detrend.at.first_channel, detrend.next_frame, in.as<float>(),
                 out[0].room.as<float>());
    detrend.next_frame += in.frames();
    out[0].frames = in.frames();
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    to.put(static_cast<const DetrendState&>(state).next_frame);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    static_cast<DetrendState&>(state).next_frame = from.get<std::int64_t>();
  }
  bool runs_on(const compute::Target& target) const noexcept override { return target.fp64; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return place.device.target().fp64 ? detrend_on(place, at, trend_of(at)) : nullptr;
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>(2 * channels) * sizeof(double);
  }

  op::Fit fit() const noexcept override { return measured() ? op::Fit::none : op::Fit::whole; }
  std::unique_ptr<op::Fitter> fitter() const override { return make_trend_fitter(type_, in()); }
  std::size_t fitter_bytes() const noexcept override {
    return measured() ? 0 : trend_fit_bytes(in());
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override;
  std::vector<std::string> decisions() const override {
    return {measured() ? fmt::format("the {} of each segment is subtracted",
                                     type_ == DetrendType::linear ? "line" : "mean")
                       : fmt::format("the {} of each segment is measured before the run",
                                     type_ == DetrendType::linear ? "line" : "mean")};
  }

 private:
  const StreamInfo& in() const noexcept { return ports_.front().stream; }
  bool measured() const noexcept { return trends_.size() == in().segments.size(); }
  const Trend& trend_of(const op::StartPoint& at) const {
    return trends_[static_cast<std::size_t>(at.segment)];
  }

  DetrendType type_;
  std::vector<Trend> trends_;  ///< Of each segment; empty until fitted.
  std::vector<op::Port> ports_;
};

/// Counts a number of physical units is; NaN where a fit found nothing.
std::vector<double> counts_of(const Value& physical, const StreamInfo& in) {
  const auto& list = physical.as_array();
  if (list.size() != in.channels.size()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("level: {} values for {} channels", list.size(), in.channels.size()));
  }
  std::vector<double> counts(static_cast<std::size_t>(padded_channels(in.channel_count())));
  for (std::size_t c = 0; c < list.size(); ++c) {
    const double gain = in.channels[c].gain;
    counts[c] = list[c].is_null() ? std::numeric_limits<double>::quiet_NaN()
                : gain == 0       ? 0
                                  : list[c].as_number() / gain;
  }
  return counts;
}

std::unique_ptr<op::Step> SegmentDetrend::fitted(const Value& values) const {
  const auto& levels = values.at("level").as_array();
  const auto& slopes = values.at("slope").as_array();
  const std::size_t segments = in().segments.size();
  if (levels.size() != segments || slopes.size() != segments) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("level: that of {} segments, there are {}", levels.size(), segments));
  }
  std::vector<Trend> trends;
  trends.reserve(segments);
  for (std::size_t s = 0; s < segments; ++s) {
    trends.push_back({static_cast<double>(in().segments[s].frames - 1) / 2,
                      counts_of(levels[s], in()), counts_of(slopes[s], in())});
  }
  return std::make_unique<SegmentDetrend>(type_, in(), std::move(trends));
}

std::unique_ptr<op::Step> plan(const Detrend& params, const op::StepContext& context) {
  const auto refuse = [](const char* text) { throw Error(ErrorCode::invalid_spec, text); };
  if (params.scope == DetrendScope::running) {
    if (!params.window_s) {
      refuse("window_s: is required where scope is running");
    }
    if (params.type == DetrendType::linear) {
      refuse("type: a running detrend has constant only");
    }
    return make_running_step(running_window(*params.window_s, context.in.rate, false, "window_s"),
                             context.in);
  }
  if (params.window_s) {
    refuse("window_s: says nothing where scope is global");
  }
  return std::make_unique<SegmentDetrend>(params.type.value_or(DetrendType::linear), context.in,
                                          std::vector<Trend>{});
}
}  // namespace

const op::Operator& detrend_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Detrend>(
      {.name = "detrend",
       .summary = "Subtract the line or the mean of a segment, or a running mean.",
       .schema =
           op::Schema<Detrend>{
               field("type", &Detrend::type,
                     {.doc = "linear (the default of global) or constant (of running)."}),
               field("scope", &Detrend::scope,
                     {.doc = "global: of each whole segment; running: of a window."}),
               field("window_s", &Detrend::window_s,
                     {.unit = "s",
                      .min = 0,
                      .above_min = true,
                      .doc = "Running: length of the window around each sample."})},
       .plan = plan,
       .device = kernels::kDetrend});
  return *kMade;
}

}  // namespace weir::signal
