#include "weir/signal/ops/zscore/zscore.h"

#include <fmt/format.h>

#include "weir/compute/target.h"
#include "weir/signal/centring_cl.h"
#include "weir/signal/ops/zscore/zscore_internal.h"
#include "weir/signal/running_moments.h"

namespace weir::signal {

static std::span<const op::EnumName<ZscoreScope>> names_of(ZscoreScope) {
  static constexpr op::EnumName<ZscoreScope> kNames[] = {{"global", ZscoreScope::global},
                                                         {"running", ZscoreScope::running}};
  return kNames;
}

static std::span<const op::EnumName<ZscoreMode>> names_of(ZscoreMode) {
  static constexpr op::EnumName<ZscoreMode> kNames[] = {{"median+mad", ZscoreMode::median_mad},
                                                        {"mean+std", ZscoreMode::mean_std}};
  return kNames;
}

static std::span<const op::EnumName<ZscoreFit>> names_of(ZscoreFit) {
  static constexpr op::EnumName<ZscoreFit> kNames[] = {{"sample", ZscoreFit::sample},
                                                       {"whole", ZscoreFit::whole}};
  return kNames;
}

namespace {
class RunningZscore final : public op::Step {
 public:
  RunningZscore(const RunningWindow& window, StreamInfo in) : window_(window) {
    in.type = SampleType::float32;
    for (auto& channel : in.channels) {
      // The sign of a score is that of the physical value.
      const double sign = channel.gain < 0 ? -1 : 1;
      channel = scored(std::move(channel));
      channel.gain = sign;
    }
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {window_.reach, window_.reach}; }
  std::int64_t settle_frames() const noexcept override { return window_.reach; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return running_state_bytes(window_, channels);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<RunningState>(window_, at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    run_window(window_, static_cast<RunningState&>(state), in.as<float>(), out[0]);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    return finish_window(window_, static_cast<RunningState&>(state), out[0]);
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    save_window(static_cast<const RunningState&>(state), to);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    load_window(static_cast<RunningState&>(state), from);
  }
  bool runs_on(const compute::Target& target) const noexcept override { return target.fp64; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return place.device.target().fp64 ? running_on(place, window_, at.channel_count) : nullptr;
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return running_device_bytes(window_, channels);
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("window of {} frames, sums in float64 made anew every {} frames",
                        2 * window_.reach + 1, window_.restart_frames())};
  }

 private:
  RunningWindow window_;
  std::vector<op::Port> ports_;
};

std::unique_ptr<op::Step> plan(const Zscore& params, const op::StepContext& context) {
  const auto refuse = [](const char* text) { throw Error(ErrorCode::invalid_spec, text); };
  if (params.scope == ZscoreScope::running) {
    if (!params.window_s) {
      refuse("window_s: is required where scope is running");
    }
    if (params.mode == ZscoreMode::median_mad) {
      refuse("mode: a running zscore has mean+std only; hampel knows running medians");
    }
    return std::make_unique<RunningZscore>(
        running_window(*params.window_s, context.in.rate, true, "window_s"), context.in);
  }
  if (params.window_s) {
    refuse("window_s: says nothing where scope is global");
  }
  if (params.fit == ZscoreFit::whole && mode_of(params) == ZscoreMode::median_mad) {
    refuse("fit: medians over the whole recording would keep all of it; whole needs mean+std");
  }
  return plan_global_zscore(params, context);
}
}  // namespace

ZscoreMode mode_of(const Zscore& params) noexcept {
  return params.mode.value_or(params.scope == ZscoreScope::running ? ZscoreMode::mean_std
                                                                   : ZscoreMode::median_mad);
}

Channel scored(Channel channel) {
  channel.gain = 1;
  channel.offset = 0;
  channel.unit = "";
  return channel;
}

const op::Operator& zscore_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Zscore>(
      {.name = "zscore",
       .summary = "Distances from the middle in units of the spread.",
       .schema =
           op::Schema<Zscore>{
               field("scope", &Zscore::scope,
                     {.doc = "global: one middle and spread a channel; running: of a window."}),
               field("mode", &Zscore::mode,
                     {.doc = "median+mad (the default of global) or mean+std (of running)."}),
               field("fit", &Zscore::fit,
                     {.doc = "Global: measured on a sample of 20 stretches, or on the whole."}),
               field("window_s", &Zscore::window_s,
                     {.unit = "s",
                      .min = 0,
                      .above_min = true,
                      .doc = "Running: length of the window around each sample."})},
       .plan = plan,
       .device = kernels::kCentring});
  return *kMade;
}

}  // namespace weir::signal
