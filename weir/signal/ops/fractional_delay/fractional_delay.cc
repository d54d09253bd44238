#include "weir/signal/ops/fractional_delay/fractional_delay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/signal/polyphase_step.h"

namespace weir::signal {
namespace {
constexpr double kMostDelay = 1e7;
constexpr std::int64_t kMostTaps = 100'000;
constexpr double kStatedError = 2e-3;
constexpr double kWhole = 1e-9;  // Samples: no signal shows less.

class FractionalDelayStep final : public PolyphaseStep {
 public:
  FractionalDelayStep(const FractionalDelay& params, const std::vector<double>& delays,
                      StreamInfo in)
      : PolyphaseStep(plan_delays(delays, {params.taps, params.kaiser_beta}), params.edge,
                      {.name = "signal", .stream = std::move(in)}),
        delays_(delays),
        band_hz_(delay_band(delays, {params.taps, params.kaiser_beta}, kStatedError) *
                 ports()[0].stream.rate.hz()) {}

  std::vector<std::string> decisions() const override {
    const auto [least, most] = std::minmax_element(delays_.begin(), delays_.end());
    return {fmt::format(
        "{:.6g} to {:.6g} samples later, {} taps{}: within {:.1f} % up to {:.0f} "
        "Hz",
        *least, *most, filter().length, filter().tap_stride > 1 ? ", of each channel its own" : "",
        100 * kStatedError, band_hz_)};
  }

 private:
  std::vector<double> delays_;
  double band_hz_;
};

const op::Schema<FractionalDelay>& schema() {
  using op::field;
  static const op::Schema<FractionalDelay> kFields{
      field("delay_samples", &FractionalDelay::delay_samples,
            {.unit = "samples",
             .min = -kMostDelay,
             .max = kMostDelay,
             .doc = "How much later the signal comes, earlier if negative: one number for all "
                    "channels or one for each; either this or delay_s."}),
      field("delay_s", &FractionalDelay::delay_s, {.unit = "s", .doc = "The same in seconds."}),
      field("taps", &FractionalDelay::taps,
            {.min = 4, .max = 512, .doc = "Taps of the windowed sinc; even."}),
      field("kaiser_beta", &FractionalDelay::kaiser_beta,
            {.min = 0, .max = 40, .doc = "Shape of its Kaiser window."}),
      field("edge", &FractionalDelay::edge, {.doc = kEdgeDoc}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const FractionalDelay& params, const op::StepContext& context) {
  if (params.taps % 2 != 0) {
    throw Error(ErrorCode::invalid_spec, fmt::format("taps: {} is odd", params.taps));
  }
  const auto delays = delays_of(params, context.in);
  const std::int64_t span = delay_span(delays, {params.taps, params.kaiser_beta});
  if (span > kMostTaps) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: delays so far apart need {} taps, more than {}",
                            params.delay_s.empty() ? "delay_samples" : "delay_s", span, kMostTaps));
  }
  StreamInfo stream = context.in;
  stream.type = SampleType::float32;
  return std::make_unique<FractionalDelayStep>(params, delays, std::move(stream));
}
}  // namespace

std::vector<double> delays_of(const FractionalDelay& params, const StreamInfo& in) {
  if (params.delay_samples.empty() == params.delay_s.empty()) {
    throw Error(ErrorCode::invalid_spec, "delay_samples: give either delay_samples or delay_s");
  }
  const bool seconds = params.delay_samples.empty();
  std::vector<double> delays = seconds ? params.delay_s : params.delay_samples;
  const char* name = seconds ? "delay_s" : "delay_samples";
  if (delays.size() != 1 && delays.size() != in.channels.size()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{}: {} values, but there are {} channels",
                                                     name, delays.size(), in.channels.size()));
  }
  for (double& delay : delays) {
    if (seconds) {
      if (!(std::fabs(delay) * in.rate.hz() <= kMostDelay)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("{}: {} s are more than {} samples", name, delay, kMostDelay));
      }
      // 1 ms at 30 kHz is 30 samples, whatever the last bit of the product: no taps between them.
      delay *= in.rate.hz();
      delay = std::fabs(delay - std::round(delay)) < kWhole ? std::round(delay) : delay;
    }
  }
  if (std::adjacent_find(delays.begin(), delays.end(), std::not_equal_to<>()) == delays.end()) {
    delays.resize(1);
  }
  return delays;
}

const op::Operator& fractional_delay_operator() {
  static const auto kMade = op::make_operator<FractionalDelay>(
      {.name = "fractional_delay",
       .summary = "The signal later or earlier by any part of a sample.",
       .schema = schema(),
       .plan = plan,
       .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
