#include "weir/signal/ops/hilbert/hilbert.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "weir/signal/window.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kMostTaps = 100'001;
// The step from -1 to 1 at frequency 0 is one transition, twice the lowest frequency wide, and
// twice as high as a low-pass's: 6 dB more, and one since Kaiser's formulas are met to within it.
constexpr double kStepDb = 7;

std::int64_t checked_length(const Hilbert& params, const SampleRate& rate) {
  const double nyquist = rate.hz() / 2;
  if (!(params.low_hz < nyquist / 2)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("low_hz: {} Hz leaves no band below Nyquist ({} Hz) less as much",
                            params.low_hz, nyquist));
  }
  const std::int64_t needed = hilbert_length(params.low_hz / nyquist, params.attenuation_db);
  const std::int64_t length = params.length.value_or(needed);
  if (length % 2 == 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("length: {} is even; a quarter turn without delay is odd", length));
  }
  if (length < needed) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("length: {} taps are fewer than the {} that {} dB from {} Hz on need",
                            length, needed, params.attenuation_db, params.low_hz));
  }
  if (length > kMostTaps) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("low_hz: {} Hz at {} dB need {} taps, more than {}; a lower rate, or less "
                    "attenuation_db, need fewer",
                    params.low_hz, params.attenuation_db, length, kMostTaps));
  }
  return length;
}

PolyphasePlan plan_hilbert(const Hilbert& params, const SampleRate& rate) {
  const std::int64_t length = checked_length(params, rate);
  PolyphasePlan plan = plan_taps(hilbert_taps(length, params.attenuation_db), length / 2);
  plan.magnitude = params.output == HilbertOutput::envelope;
  choose_sums(plan, params.method);
  return plan;
}

op::Port port_of(StreamInfo stream) {
  stream.type = SampleType::float32;
  return {.name = "signal", .stream = std::move(stream)};
}

class HilbertStep final : public PolyphaseStep {
 public:
  HilbertStep(const Hilbert& params, const StreamInfo& in)
      : PolyphaseStep(plan_hilbert(params, in.rate), params.edge, port_of(in)), params_(params) {}

  std::vector<std::string> decisions() const override {
    const double nyquist = ports()[0].stream.rate.hz() / 2;
    return {fmt::format("{} from {} to {} Hz, gain within {:.2g} there; {} taps, {}",
                        op::Codec<HilbertOutput>::write(params_.output).as_string(), params_.low_hz,
                        nyquist - params_.low_hz, std::pow(10, -params_.attenuation_db / 20),
                        filter().length, sums_text(filter()))};
  }

 private:
  Hilbert params_;
};

const op::Schema<Hilbert>& schema() {
  using op::field;
  static const op::Schema<Hilbert> kFields{
      field(
          "low_hz", &Hilbert::low_hz,
          {.unit = "Hz",
           .min = 0,
           .above_min = true,
           .required = true,
           .doc = "Lowest frequency that is turned exactly; the highest is as far from Nyquist."}),
      field("attenuation_db", &Hilbert::attenuation_db,
            {.unit = "dB",
             .min = 20,
             .max = 140,
             .doc = "How far the gain may be from 1 in that band, 80 dB is 1e-4."}),
      field("length", &Hilbert::length,
            {.min = 3, .doc = "Taps, odd; as many as needed when not given."}),
      field(
          "output", &Hilbert::output,
          {.doc = "envelope: the amplitude of the analytic signal; quadrature: its imaginary part, "
                  "the Hilbert transform."}),
      field("edge", &Hilbert::edge, {.doc = kEdgeDoc}),
      field("method", &Hilbert::method, {.doc = kMethodDoc}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Hilbert& params, const op::StepContext& context) {
  return std::make_unique<HilbertStep>(params, context.in);
}
}  // namespace

std::span<const op::EnumName<HilbertOutput>> names_of(HilbertOutput) {
  static constexpr op::EnumName<HilbertOutput> kNames[] = {
      {"envelope", HilbertOutput::envelope},
      {"amplitude", HilbertOutput::envelope},
      {"quadrature", HilbertOutput::quadrature}};
  return kNames;
}

std::vector<double> hilbert_taps(std::int64_t length, double attenuation_db) {
  const double beta = kaiser_beta(attenuation_db + kStepDb);
  const std::int64_t half = length / 2;
  std::vector<double> taps;
  for (std::int64_t n = -half; n <= half; ++n) {
    const double u = static_cast<double>(n) / static_cast<double>(half);
    taps.push_back(
        n % 2 == 0 ? 0 : 2 / (std::numbers::pi * static_cast<double>(n)) * kaiser_at(u, beta));
  }
  return taps;
}

std::int64_t hilbert_length(double low, double attenuation_db) noexcept {
  const std::int64_t length = kaiser_length(attenuation_db + kStepDb, 2 * low);
  return std::max<std::int64_t>(3, length | 1);
}

const op::Operator& hilbert_operator() {
  static const auto kMade = op::make_operator<Hilbert>(
      {.name = "hilbert",
       .summary = "Envelope, or the signal a quarter turn later, within a band.",
       .schema = schema(),
       .plan = plan,
       .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
