#include "weir/signal/ops/fir/fir.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace weir::signal {
namespace {
constexpr double kMostTaps = 100'000;

/// Group delay in frames; 0 when centred or when it differs between frequencies.
Rational delay_of(const std::vector<double>& taps, FirMode mode) {
  const bool symmetric = std::equal(taps.begin(), taps.end(), taps.rbegin());
  return mode == FirMode::causal && symmetric
             ? Rational(static_cast<std::int64_t>(taps.size()) - 1, 2)
             : Rational(0);
}

op::Port port_of(const Fir& params, const std::vector<double>& taps, StreamInfo stream) {
  stream.type = SampleType::float32;
  return {
      .name = "signal", .stream = std::move(stream), .delay_frames = delay_of(taps, params.mode)};
}

class FirStep final : public PolyphaseStep {
 public:
  FirStep(const Fir& params, const std::vector<double>& taps, const StreamInfo& in)
      : PolyphaseStep(summed(params, taps), params.edge, port_of(params, taps, in)),
        params_(params) {}

  std::vector<std::string> decisions() const override {
    const Rational& delay = ports()[0].delay_frames;
    const std::string late =
        delay == Rational(0) ? std::string() : fmt::format(", {} frames late", delay.to_double());
    return {fmt::format("{} taps, {}{}, edge {}; {}", filter().length,
                        op::Codec<FirMode>::write(params_.mode).as_string(), late,
                        op::Codec<Edge>::write(params_.edge).as_string(), sums_text(filter()))};
  }

 private:
  static PolyphasePlan summed(const Fir& params, const std::vector<double>& taps) {
    PolyphasePlan plan = plan_fir(taps, params.mode);
    choose_sums(plan, params.method);
    return plan;
  }

  Fir params_;
};

const op::Schema<Fir>& schema() {
  using op::field;
  static const op::Schema<Fir> kFields{
      field("taps", &Fir::taps, {.doc = "The impulse response; either this, or a design."}),
      field("design", &Fir::design,
            {.doc = "How taps are found: a windowed sinc, or the least squared or the least "
                    "largest error over the bands."}),
      field("band", &Fir::band, {.doc = "What the designed filter lets pass."}),
      field(
          "cutoff_hz", &Fir::cutoff_hz,
          {.unit = "Hz", .min = 0, .above_min = true, .doc = "Half-amplitude edges: one or two."}),
      field("length", &Fir::length,
            {.min = 1, .max = kMostTaps, .doc = "Taps of the designed filter; odd."}),
      field("window", &Fir::window, {.doc = "Window of the design, with its parameters."}),
      field("attenuation_db", &Fir::attenuation_db,
            {.unit = "dB",
             .min = 8,
             .max = 300,
             .doc = "Takes the Kaiser window that has it, and with transition_hz the length."}),
      field("transition_hz", &Fir::transition_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .doc = "Width between pass and stop band, half on each side of a cut-off."}),
      field("bands_hz", &Fir::bands_hz,
            {.unit = "Hz",
             .min = 0,
             .doc = "Two edges of each band of an optimal design, instead of band and cutoff_hz."}),
      field("desired", &Fir::desired, {.doc = "Gain of each of bands_hz."}),
      field("weight", &Fir::weight,
            {.min = 0,
             .above_min = true,
             .doc = "How much an error in each band of an optimal design counts; 1 when not "
                    "given."}),
      field("mode", &Fir::mode,
            {.doc = "Causal: later by half the filter. Centred: aligned, for an odd number of "
                    "taps. Zero phase: aligned, the filter forward and backward, so its gain "
                    "twice."}),
      field("edge", &Fir::edge, {.doc = kEdgeDoc}),
      field("method", &Fir::method, {.doc = kMethodDoc}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Fir& params, const op::StepContext& context) {
  const auto taps = fir_taps(params, context.in.rate);
  if (static_cast<double>(taps.size()) > kMostTaps) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("taps: {} are more than {}", taps.size(), kMostTaps));
  }
  return std::make_unique<FirStep>(params, taps, context.in);
}
}  // namespace

std::span<const op::EnumName<FirBand>> names_of(FirBand) {
  static constexpr std::array<op::EnumName<FirBand>, 4> kNames{{{"lowpass", FirBand::lowpass},
                                                                {"highpass", FirBand::highpass},
                                                                {"bandpass", FirBand::bandpass},
                                                                {"bandstop", FirBand::bandstop}}};
  return kNames;
}

std::span<const op::EnumName<FirMode>> names_of(FirMode) {
  static constexpr std::array<op::EnumName<FirMode>, 3> kNames{
      {{"causal", FirMode::causal},
       {"centred", FirMode::centred},
       {"zero_phase", FirMode::zero_phase}}};
  return kNames;
}

std::span<const op::EnumName<FirDesign>> names_of(FirDesign) {
  static constexpr std::array<op::EnumName<FirDesign>, 3> kNames{
      {{"window", FirDesign::window},
       {"least_squares", FirDesign::least_squares},
       {"equiripple", FirDesign::equiripple}}};
  return kNames;
}

const op::Operator& fir_operator() {
  static const auto kMade =
      op::make_operator<Fir>({.name = "fir",
                              .summary = "A finite impulse response filter, given or designed.",
                              .schema = schema(),
                              .plan = plan,
                              .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
