#include "weir/signal/ops/zscore/zscore.h"

#include "weir/signal/centring_cl.h"
#include "weir/signal/ops/zscore/zscore_internal.h"
#include "weir/signal/running_step.h"

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
/// The sign of a score is that of the physical value.
StreamInfo running_scores(StreamInfo stream) {
  for (auto& channel : stream.channels) {
    const double sign = channel.gain < 0 ? -1 : 1;
    channel = scored(std::move(channel));
    channel.gain = sign;
  }
  return stream;
}

std::unique_ptr<op::Step> plan(const Zscore& params, const op::StepContext& context) {
  const auto refuse = [](const char* text) { throw Error(ErrorCode::invalid_spec, text); };
  if (params.scope == ZscoreScope::running) {
    if (!params.window_s) {
      refuse("window_s: is required where scope is running");
    }
    if (params.mode == ZscoreMode::median_mad) {
      refuse("mode: a running zscore has mean+std only; hampel knows running medians");
    }
    return make_running_step(running_window(*params.window_s, context.in.rate, true, "window_s"),
                             running_scores(context.in));
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
