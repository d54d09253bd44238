#pragma once

#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/signal/polyphase_step.h"

namespace weir::signal {

/// Taps of the running amplitude: a Hann window of unit sum.
/// Source: numpy.hanning, as International Brain Laboratory's `agc` has it.
std::vector<double> amplitude_taps(double window_s, const SampleRate& rate);

/// How an automatic gain control stands around a product across channels.
struct SpatialAgc {
  const PolyphaseStep& amplitude;
  const op::Step& product;
  /// Per channel 1 where it is controlled, 0 where it passes.
  const std::vector<std::int32_t>& controlled;
  /// Rows that wait for their amplitude at most.
  std::int64_t waiting_rows = 0;
};

struct SpatialAgcState final : op::State {
  std::unique_ptr<op::State> amplitude;
  std::unique_ptr<op::State> product;
  Buffer past;   ///< The rows that wait, frame f in row f mod their number.
  Buffer loud;   ///< Magnitudes of a stretch.
  Buffer gain;   ///< Amplitudes that have become final.
  Buffer level;  ///< Rows without them.
  std::int64_t fed = 0;
  std::int64_t emitted = 0;
};

std::unique_ptr<op::DeviceStep> spatial_agc_on(const op::DevicePlace& place, const SpatialAgc& agc,
                                               const op::StartPoint& at);
std::size_t spatial_agc_device_bytes(const SpatialAgc& agc, std::int64_t channels,
                                     std::int64_t frames) noexcept;

/// out = gain * product(x / gain), gain the running amplitude of each channel.
/// `product`: of channels that are all of gain 1 or -1; `port`: what comes out.
std::unique_ptr<op::Step> spatial_agc_step(double window_s, std::unique_ptr<op::Step> product,
                                           const StreamInfo& in, op::Port port,
                                           std::vector<std::string> decisions);

}  // namespace weir::signal
