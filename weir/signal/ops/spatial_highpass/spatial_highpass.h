#pragma once

#include <vector>

#include "weir/signal/channel_matrix.h"
#include "weir/signal/sections.h"

namespace weir::signal {

enum class ProbeDirection { x, y, z };

/// Takes away what changes slowly along a probe: stripes that a median across it leaves.
struct SpatialHighpass {
  std::int64_t n_channel_pad = 60;
  std::int64_t n_channel_taper = 0;
  ProbeDirection direction = ProbeDirection::y;
  std::int64_t highpass_butter_order = 3;
  double highpass_butter_wn = 0.01;  ///< Of the Nyquist frequency of the channels.
  bool apply_agc = false;            ///< Divide by a running amplitude before, multiply after.
  double agc_window_length_s = 0.01;
};

/// What a zero-phase high-pass does to `channels` values in a row, mirrored by `n_channel_pad` at
/// both ends and tapered there: value k of the result is the sum of row k times the values. Shape:
/// [channels, channels], row by row. Errors: `invalid_spec` naming n_channel_pad when the padded
/// row is too short for the filter. Source: forward and backward filtering with odd extension and
/// steady starts, as scipy.signal's
///         sosfiltfilt; International Brain Laboratory, Spike sorting pipeline (2022), destriping.
std::vector<double> spatial_filter_matrix(const SpatialHighpass& params, std::int64_t channels);

/// Groups (shanks) are filtered by themselves, each along the direction.
/// Errors: as above, and positions that are missing.
ChannelMatrix plan_spatial_highpass(const SpatialHighpass& params, const StreamInfo& in);

const op::Operator& spatial_highpass_operator();

}  // namespace weir::signal
