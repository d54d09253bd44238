#include "weir/signal/ops/resample/resample.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "weir/signal/polyphase_step.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kMostTaps = 100'000;

Rational ratio_of(const Resample& params, const SampleRate& rate) {
  if (params.rate_hz.has_value() == (params.up.has_value() || params.down.has_value())) {
    throw Error(ErrorCode::invalid_spec, "rate_hz: give either rate_hz, or up and down");
  }
  if (params.rate_hz) {
    return in_context("rate_hz", [&] {
      const Rational wanted = Rational::from_decimal(*params.rate_hz) / rate.exact();
      return simplest_ratio(wanted, params.rate_tolerance_ppm);
    });
  }
  if (!params.up || !params.down) {
    throw Error(ErrorCode::invalid_spec,
                params.up ? "down: is required beside up" : "up: is required beside down");
  }
  return Rational(*params.up, *params.down);
}

void check_length(const Resample& params, const Rational& ratio) {
  const std::int64_t most = std::max(ratio.numerator(), ratio.denominator());
  if (most > (kMostTaps - 1) / 20) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("{}: the ratio {} needs {} taps, more than {}{}",
                    params.rate_hz ? "rate_hz" : "up", ratio.text(), std::int64_t{20} * most + 1,
                    kMostTaps,
                    params.rate_hz ? "; a larger rate_tolerance_ppm allows a simpler ratio" : ""));
  }
}

class ResampleStep final : public PolyphaseStep {
 public:
  ResampleStep(const Resample& params, const Rational& ratio, const StreamInfo& in)
      : PolyphaseStep(plan_resample(ratio.numerator(), ratio.denominator(), params.window),
                      edge_of(params.pad),
                      {.name = "signal", .stream = at_ratio(in, ratio), .ratio = ratio}),
        params_(params) {}

  bool relabels_only() const noexcept override { return filter().up == filter().down; }
  std::vector<std::string> decisions() const override {
    const SampleRate& rate = ports()[0].stream.rate;
    std::string asked;
    if (params_.rate_hz) {
      asked = fmt::format(", {:+.3g} ppm from the {} Hz asked for",
                          (rate.hz() / *params_.rate_hz - 1) * 1e6, *params_.rate_hz);
    }
    if (relabels_only()) {
      return {fmt::format("ratio 1/1: nothing to do{}", asked)};
    }
    return {fmt::format("ratio {}/{} to {}{}; {} taps ({}), padding {}", filter().up, filter().down,
                        rate.text(), asked, filter().length, params_.window.text(),
                        op::Codec<ResamplePad>::write(params_.pad).as_string())};
  }

 private:
  Resample params_;
};

const op::Schema<Resample>& schema() {
  using op::field;
  static const op::Schema<Resample> kFields{
      field("rate_hz", &Resample::rate_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .doc = "New sample rate; either this or `up` and `down`."}),
      field("up", &Resample::up, {.min = 1, .max = 1e9, .doc = "New rate = rate * up / down."}),
      field("down", &Resample::down, {.min = 1, .max = 1e9, .doc = "New rate = rate * up / down."}),
      field("rate_tolerance_ppm", &Resample::rate_tolerance_ppm,
            {.unit = "ppm",
             .min = 0,
             .max = 100'000,
             .doc = "The smallest ratio within this distance of `rate_hz` is taken."}),
      field("window", &Resample::window, {.doc = "Window of the filter design."}),
      field("pad", &Resample::pad,
            {.doc = "What lies past a segment's ends: odd extension about its first and last "
                    "sample, or zero."}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Resample& params, const op::StepContext& context) {
  const Rational ratio = ratio_of(params, context.in.rate);
  check_length(params, ratio);
  return std::make_unique<ResampleStep>(params, ratio, context.in);
}
}  // namespace

StreamInfo at_ratio(StreamInfo stream, const Rational& ratio) {
  if (ratio == Rational(1)) {
    return stream;
  }
  stream.rate = in_context("rate_hz", [&] { return SampleRate(stream.rate.exact() * ratio); });
  for (auto& segment : stream.segments) {
    segment.frames = ratio.ceil_times(segment.frames);
    segment.first_frame = 0;
  }
  return stream;
}

Edge edge_of(ResamplePad pad) noexcept {
  return pad == ResamplePad::odd ? Edge::odd : Edge::zero;
}

std::span<const op::EnumName<ResamplePad>> names_of(ResamplePad) {
  static constexpr std::array<op::EnumName<ResamplePad>, 2> kNames{
      {{"odd", ResamplePad::odd}, {"zero", ResamplePad::zero}}};
  return kNames;
}

const op::Operator& resample_operator() {
  static const auto kMade = op::make_operator<Resample>(
      {.name = "resample",
       .summary = "Another sample rate, by a polyphase low-pass filter.",
       .schema = schema(),
       .plan = plan,
       .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
