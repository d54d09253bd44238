#include "weir/signal/ops/decimate/decimate.h"

#include <fmt/format.h>

#include "weir/signal/polyphase_step.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kMostTaps = 100'000;

class DecimateStep final : public PolyphaseStep {
 public:
  DecimateStep(const Decimate& params, const StreamInfo& in)
      : PolyphaseStep(plan_ratio(Rational(1, params.q), decimate_taps(params)), edge_of(params.pad),
                      {.name = "signal",
                       .stream = at_ratio(in, Rational(1, params.q)),
                       .ratio = Rational(1, params.q)}),
        params_(params) {}

  bool relabels_only() const noexcept override { return params_.q == 1; }
  std::vector<std::string> decisions() const override {
    return {relabels_only()
                ? "every sample: nothing to do"
                : fmt::format("every {}th sample, to {}; {} taps ({}), padding {}", params_.q,
                              ports()[0].stream.rate.text(), filter().length, params_.window.text(),
                              op::Codec<ResamplePad>::write(params_.pad).as_string())};
  }

 private:
  Decimate params_;
};

const op::Schema<Decimate>& schema() {
  using op::field;
  static const op::Schema<Decimate> kFields{
      field("q", &Decimate::q,
            {.min = 1,
             .max = 1e6,
             .required = true,
             .aliases = {"factor"},
             .doc = "The rate is divided by it; sample k of the output stands at k q."}),
      field("n", &Decimate::n,
            {.min = 0, .max = kMostTaps - 1, .doc = "Order of the low-pass, even; 20 q."}),
      field("window", &Decimate::window, {.doc = "Window of its design, with its parameters."}),
      field("pad", &Decimate::pad,
            {.doc = "What lies past a segment's ends: odd extension about its first and last "
                    "sample, or zero."}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Decimate& params, const op::StepContext& context) {
  return std::make_unique<DecimateStep>(params, context.in);
}
}  // namespace

std::vector<double> decimate_taps(const Decimate& params) {
  if (params.q == 1) {
    return {1.0};
  }
  const std::int64_t order = params.n.value_or(20 * params.q);
  if (order % 2 != 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("n: {} is odd; a filter that delays nothing has an even order", order));
  }
  if (order >= kMostTaps) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("q: {} needs {} taps, more than {}; decimate in two steps", params.q,
                            order + 1, kMostTaps));
  }
  return in_context("window", [&] {
    return windowed_sinc(FirBand::lowpass, {1.0 / static_cast<double>(params.q)}, order + 1,
                         params.window);
  });
}

const op::Operator& decimate_operator() {
  static const auto kMade =
      op::make_operator<Decimate>({.name = "decimate",
                                   .summary = "Every q-th sample, after a low-pass.",
                                   .schema = schema(),
                                   .plan = plan,
                                   .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
