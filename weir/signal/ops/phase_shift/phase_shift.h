#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/channel.h"
#include "weir/op/operator.h"
#include "weir/signal/delay.h"

namespace weir::signal {

/// Probes whose converters take channels in turns.
enum class AdcProbe {
  neuropixels_1,  ///< 12 channels a converter; 13 turns a sample, the last one for the LF band.
  neuropixels_2   ///< 16 channels a converter, 16 turns a sample.
};
std::span<const op::EnumName<AdcProbe>> names_of(AdcProbe);

/// Channels that were sampled one after the other, as if all at once.
struct PhaseShift {
  std::vector<double> inter_sample_shift = {};  ///< Either these, or how the converters work.
  std::optional<AdcProbe> probe = {};
  std::optional<std::int64_t> channels_per_adc = {};
  std::optional<std::int64_t> cycles = {};
  std::int64_t taps = DelayDesign{}.taps;
  double kaiser_beta = DelayDesign{}.kaiser_beta;
  Edge edge = Edge::odd;
};

/// How much later within its sample a channel is taken, from its number on the probe: pairs of
/// converters take the even and the odd ones of neighbouring channels, in order.
/// Units:  samples, 0 <= shift < 1.
/// Source: spikeinterface.preprocessing.get_neuropixels_sample_shifts.
double adc_shift(std::int64_t channel, std::int64_t channels_per_adc, std::int64_t cycles) noexcept;

/// The shift of every channel of a stream, by its number in the recording's file; 0 for channels
/// that are no electrodes.
/// Errors: `invalid_spec` naming the field.
std::vector<double> phase_shifts(const PhaseShift& params, const std::vector<Channel>& channels);

const op::Operator& phase_shift_operator();

}  // namespace weir::signal
