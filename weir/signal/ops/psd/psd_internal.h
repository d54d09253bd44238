#pragma once

#include "weir/op/device_step.h"
#include "weir/signal/ops/psd/psd.h"
#include "weir/signal/spectral_feed.h"

namespace weir::signal {

/// Adds the powers of 32 channels to `sums`, [bins, 2, 32]: a sum, and what it has too much.
/// Source: Kahan 1965.
void add_powers(const float* spectrum, std::int64_t bins, float* sums);

/// What a State has of the windows so far.
struct PsdState final : op::State {
  PsdState(const SpectralPlan& plan, std::int64_t frames, std::int64_t channels_served)
      : feed(plan, frames, channels_served), channels(channels_served) {}
  SpectralFeed feed;
  std::int64_t channels;
  std::int64_t rows = 0;     ///< Of the table.
  std::int64_t emitted = 0;  ///< Of them.
  /// Means: [packs of 32 channels, bins, 2, 32]. Medians: [windows, packs, bins, 32].
  std::vector<float> powers;
};

/// What the sums of a row are multiplied by.
float psd_factor(const SpectralPlan& plan, std::int64_t bin, std::int64_t windows) noexcept;

/// The step on a device: means, and medians, for which every power is kept.
/// `frames`: of the segment.
std::unique_ptr<op::DeviceStep> psd_on(const op::DevicePlace& place, const SpectralPlan& plan,
                                       std::int64_t frames, std::int64_t channels);
std::size_t psd_device_bytes(const SpectralPlan& plan, std::int64_t channels, std::int64_t frames);
std::unique_ptr<op::DeviceStep> median_psd_on(const op::DevicePlace& place,
                                              const SpectralPlan& plan, std::int64_t frames,
                                              std::int64_t channels);
std::size_t psd_powers_bytes(const SpectralPlan& plan, std::int64_t channels,
                             std::int64_t windows) noexcept;

}  // namespace weir::signal
