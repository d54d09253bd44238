#include "weir/signal/ops/resample/resample.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "weir/signal/polyphase.h"

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

StreamInfo resampled(StreamInfo stream, const Rational& ratio) {
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

class ResampleStep final : public op::Step {
 public:
  ResampleStep(const Resample& params, const Rational& ratio, const StreamInfo& in)
      : params_(params),
        plan_(plan_resample(ratio.numerator(), ratio.denominator(), params.window)) {
    ports_.push_back({.name = "signal", .stream = resampled(in, ratio), .ratio = ratio});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {plan_.after, plan_.after}; }
  std::int64_t settle_frames() const noexcept override { return plan_.before + 1; }
  std::int64_t max_output(std::int64_t frames) const noexcept override {
    return most_outputs(plan_, edge_of(params_.pad), frames);
  }
  bool relabels_only() const noexcept override { return plan_.up == plan_.down; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return PolyphaseState::bytes_for(plan_, channels);
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<PolyphaseState>(plan_, edge_of(params_.pad), at);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    out[0].frames =
        static_cast<PolyphaseState&>(state).run(in.as<float>(), out[0].room.as<float>());
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    bool done = false;
    out[0].frames = static_cast<PolyphaseState&>(state).finish(out[0].room.as<float>(), done);
    return done;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    static_cast<const PolyphaseState&>(state).save(to);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    static_cast<PolyphaseState&>(state).load(from);
  }

  std::vector<std::string> decisions() const override {
    const SampleRate& rate = ports_[0].stream.rate;
    std::string asked;
    if (params_.rate_hz) {
      asked = fmt::format(", {:+.3g} ppm from the {} Hz asked for",
                          (rate.hz() / *params_.rate_hz - 1) * 1e6, *params_.rate_hz);
    }
    if (relabels_only()) {
      return {fmt::format("ratio 1/1: nothing to do{}", asked)};
    }
    return {fmt::format("ratio {}/{} to {}{}; {} taps ({}), padding {}", plan_.up, plan_.down,
                        rate.text(), asked, plan_.length, params_.window.text(),
                        op::Codec<ResamplePad>::write(params_.pad).as_string())};
  }

 private:
  Resample params_;
  PolyphasePlan plan_;
  std::vector<op::Port> ports_;
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
       .plan = plan});
  return *kMade;
}

}  // namespace weir::signal
