#pragma once

#include <vector>

#include "weir/op/device_step.h"
#include "weir/signal/ops/coherence/coherence.h"
#include "weir/signal/spectral_feed.h"

namespace weir::signal {

/// Pairs of one channel with neighbouring others. Its sums begin at `first_sum` times the bins, and
/// have `padded` lanes.
struct PairRun {
  std::int64_t channel = 0;
  std::int64_t first_other = 0;
  std::int64_t count = 0;
  std::int64_t first_pair = 0;
  std::int64_t first_sum = 0;  ///< In lanes.
  std::int64_t padded = 0;
};

/// The pairs, as the kernels want them.
struct PairPlan {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  std::vector<PairRun> runs;
  std::int64_t lanes = 0;  ///< Of all runs.

  std::int64_t count() const noexcept { return static_cast<std::int64_t>(first.size()); }
};

/// Adds the products conj(X) Y of a window to `sums`, for each run [bins, 4, padded]: real part and
/// what it has too much, then the imaginary part. `spectra`: [bins, 2, row]. Source: Kahan 1965.
void add_products(const PairPlan& pairs, const float* spectra, std::int64_t bins, std::int64_t row,
                  float* sums);
/// Adds squared magnitudes to `powers`, [bins, 2, row].
void add_own_powers(const float* spectra, std::int64_t bins, std::int64_t row, float* powers);

struct CoherenceState final : op::State {
  CoherenceState(const SpectralPlan& plan, std::int64_t frames, std::int64_t channels)
      : feed(plan, frames, channels) {}
  SpectralFeed feed;
  std::int64_t rows = 0;       ///< Of the table.
  std::int64_t emitted = 0;    ///< Of them.
  std::vector<float> spectra;  ///< Of one window; longer by the lanes of a run.
  std::vector<float> powers;
  std::vector<float> products;
};

std::unique_ptr<op::DeviceStep> coherence_on(const op::DevicePlace& place, const SpectralPlan& plan,
                                             const PairPlan& pairs, std::int64_t frames,
                                             std::int64_t channels);
std::size_t coherence_device_bytes(const SpectralPlan& plan, const PairPlan& pairs,
                                   std::int64_t channels, std::int64_t frames);

}  // namespace weir::signal
