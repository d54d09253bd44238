#include "weir/signal/ops/phase_shift/phase_shift.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "weir/signal/polyphase_step.h"

namespace weir::signal {
namespace {
constexpr double kStatedError = 2e-3;

struct Adc {
  std::int64_t channels;
  std::int64_t cycles;
};

Adc adc_of(const PhaseShift& params) {
  Adc adc{params.channels_per_adc.value_or(0), params.cycles.value_or(0)};
  if (params.probe) {
    const bool first = *params.probe == AdcProbe::neuropixels_1;
    adc.channels = params.channels_per_adc.value_or(first ? 12 : 16);
    adc.cycles = params.cycles.value_or(first ? 13 : 16);
  }
  if (adc.channels == 0) {
    throw Error(ErrorCode::invalid_spec,
                "probe: is required (or inter_sample_shift, or channels_per_adc)");
  }
  adc.cycles = adc.cycles == 0 ? adc.channels : adc.cycles;
  if (adc.cycles < adc.channels) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("cycles: {} turns are too few for {} channels of a converter",
                            adc.cycles, adc.channels));
  }
  return adc;
}

double given_shift(const PhaseShift& params, const Channel& channel) {
  const auto count = static_cast<std::int64_t>(params.inter_sample_shift.size());
  if (channel.source_index < 0 || channel.source_index >= count) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("inter_sample_shift: {} values, but channel \"{}\" is number {} of its "
                            "file (counted from 0)",
                            count, channel.name, channel.source_index));
  }
  return params.inter_sample_shift[static_cast<std::size_t>(channel.source_index)];
}

class PhaseShiftStep final : public PolyphaseStep {
 public:
  PhaseShiftStep(const PhaseShift& params, const std::vector<double>& shifts, StreamInfo in)
      : PolyphaseStep(plan_delays(shifts, {params.taps, params.kaiser_beta}), params.edge,
                      {.name = "signal", .stream = std::move(in)}),
        band_hz_(delay_band(shifts, {params.taps, params.kaiser_beta}, kStatedError) *
                 ports()[0].stream.rate.hz()),
        least_(*std::min_element(shifts.begin(), shifts.end())),
        most_(*std::max_element(shifts.begin(), shifts.end())) {}

  std::vector<std::string> decisions() const override {
    return {
        fmt::format("shifts of {:.4g} to {:.4g} samples by {} taps: within {:.1f} % up to "
                    "{:.0f} Hz",
                    least_, most_, filter().length, 100 * kStatedError, band_hz_)};
  }

 private:
  double band_hz_;
  double least_;
  double most_;
};

const op::Schema<PhaseShift>& schema() {
  using op::field;
  static const op::Schema<PhaseShift> kFields{
      field("inter_sample_shift", &PhaseShift::inter_sample_shift,
            {.unit = "samples",
             .min = -1,
             .max = 1,
             .doc = "How much later each channel of the recording's file was taken, in its order; "
                    "either this or `probe`."}),
      field("probe", &PhaseShift::probe,
            {.doc = "Sets channels_per_adc and cycles: 12 and 13, or 16 and 16. (The LF band of "
                    "neuropixels_1 has `cycles` 12.)"}),
      field("channels_per_adc", &PhaseShift::channels_per_adc,
            {.min = 1, .max = 4096, .doc = "Channels that one converter takes in turns."}),
      field("cycles", &PhaseShift::cycles,
            {.min = 1,
             .max = 4096,
             .aliases = {"num_cycles"},
             .doc = "Turns of a converter in one sample; channels_per_adc when not given."}),
      field("taps", &PhaseShift::taps,
            {.min = 4, .max = 512, .doc = "Taps of the windowed sinc; even."}),
      field("kaiser_beta", &PhaseShift::kaiser_beta,
            {.min = 0, .max = 40, .doc = "Shape of its Kaiser window."}),
      field("edge", &PhaseShift::edge, {.doc = kEdgeDoc}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const PhaseShift& params, const op::StepContext& context) {
  if (params.taps % 2 != 0) {
    throw Error(ErrorCode::invalid_spec, fmt::format("taps: {} is odd", params.taps));
  }
  StreamInfo stream = context.in;
  stream.type = SampleType::float32;
  return std::make_unique<PhaseShiftStep>(params, phase_shifts(params, context.in.channels),
                                          std::move(stream));
}
}  // namespace

std::span<const op::EnumName<AdcProbe>> names_of(AdcProbe) {
  static constexpr std::array<op::EnumName<AdcProbe>, 4> kNames{
      {{"neuropixels_1", AdcProbe::neuropixels_1},
       {"neuropixels_2", AdcProbe::neuropixels_2},
       {"NP1", AdcProbe::neuropixels_1},
       {"NP2", AdcProbe::neuropixels_2}}};
  return kNames;
}

double adc_shift(std::int64_t channel, std::int64_t channels_per_adc,
                 std::int64_t cycles) noexcept {
  const std::int64_t order = channel % (2 * channels_per_adc) / 2;
  return static_cast<double>(order) / static_cast<double>(cycles);
}

std::vector<double> phase_shifts(const PhaseShift& params, const std::vector<Channel>& channels) {
  const bool given = !params.inter_sample_shift.empty();
  if (given && (params.probe || params.channels_per_adc || params.cycles)) {
    throw Error(ErrorCode::invalid_spec,
                "inter_sample_shift: give either this, or probe, channels_per_adc and cycles");
  }
  const Adc adc = given ? Adc{1, 1} : adc_of(params);
  std::vector<double> shifts(channels.size(), 0.0);
  for (const std::int64_t c : electrical_channels(channels)) {
    const Channel& channel = channels[static_cast<std::size_t>(c)];
    shifts[static_cast<std::size_t>(c)] =
        given ? given_shift(params, channel)
              : adc_shift(channel.source_index, adc.channels, adc.cycles);
  }
  return shifts;
}

const op::Operator& phase_shift_operator() {
  static const auto kMade = op::make_operator<PhaseShift>(
      {.name = "phase_shift",
       .summary = "Channels that converters took in turns, as if taken at once.",
       .schema = schema(),
       .plan = plan,
       .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
