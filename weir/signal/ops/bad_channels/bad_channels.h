#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/signal/channel_matrix.h"

namespace weir::signal {

enum class BadChannelMethod { coherence_psd, std, mad };
enum class BadChannelAction { interpolate, zero, mark };
enum class OutsideAction { mark, zero };
enum class DepthAxis { x, y, z };
enum class OutsideEnd { top, bottom, both };
/// In the order in which SpikeInterface numbers them.
enum class ChannelLabel : std::int8_t { good, dead, noise, out };

std::span<const op::EnumName<BadChannelMethod>> names_of(BadChannelMethod);
std::span<const op::EnumName<BadChannelAction>> names_of(BadChannelAction);
std::span<const op::EnumName<OutsideAction>> names_of(OutsideAction);
std::span<const op::EnumName<DepthAxis>> names_of(DepthAxis);
std::span<const op::EnumName<OutsideEnd>> names_of(OutsideEnd);
std::span<const op::EnumName<ChannelLabel>> names_of(ChannelLabel);

/// Finds channels that are dead, noisy or outside of the tissue, and what to do with them.
struct BadChannels {
  BadChannelMethod method = BadChannelMethod::coherence_psd;
  BadChannelAction action = BadChannelAction::interpolate;  ///< For dead and noisy ones.
  OutsideAction outside = OutsideAction::mark;
  double std_mad_threshold = 5;
  double psd_hf_threshold = 0.02;
  double dead_channel_threshold = -0.5;
  double noisy_channel_threshold = 1.0;
  double outside_channel_threshold = -0.75;
  OutsideEnd outside_channels_location = OutsideEnd::top;
  std::int64_t n_neighbors = 11;
  double nyquist_threshold = 0.8;
  DepthAxis direction = DepthAxis::y;
  double chunk_duration_s = 0.5;
  double welch_window_ms = 10;
  std::optional<double> sigma_um;
  double p = 1.3;
};

/// The rules of coherence+psd in samples.
struct ScoreRules {
  double rate_hz = 1;
  std::int64_t window = 2;  ///< Samples of one spectrum.
  double nyquist_threshold = 0.8;
  std::int64_t n_neighbors = 11;

  /// The first frequency above the threshold, in multiples of that of the window; the last is half
  /// a window's.
  std::int64_t first_line() const noexcept {
    return static_cast<std::int64_t>(nyquist_threshold * static_cast<double>(window) / 2) + 1;
  }
};

/// What one chunk says about each channel, in the order of depth.
struct ChannelScores {
  std::vector<double> neighbours;  ///< Likeness to the median, less that of the channels around.
  std::vector<double> distant;     ///< Likeness of the channels around, less 1.
  std::vector<double> high_power;  ///< Mean spectral density near Nyquist, in units^2 / Hz.
};

/// Shape:  `chunk` is [channels, frames], channel by channel in the order of depth.
/// Source: International Brain Laboratory, Spike sorting pipeline (2022), bad channels: likeness
///         = sum(x m) / sum(m^2) with the median m over channels, against its running median;
///         spectral density by Welch's method (hann, half overlapping, means taken off).
ChannelScores score_chunk(std::span<const double> chunk, std::int64_t channels,
                          const ScoreRules& rules);

/// Dead, then noisy, then outside: a run of unlike channels that reaches an end.
std::vector<ChannelLabel> label_chunk(const ChannelScores& scores, const BadChannels& params);

/// By the spread of each channel beside the median of all: noisy above std_mad_threshold times it,
/// dead where it is 0 or unknown (NaN).
std::vector<ChannelLabel> label_spreads(std::span<const double> spreads, const BadChannels& params);

const op::Operator& bad_channels_operator();

}  // namespace weir::signal
