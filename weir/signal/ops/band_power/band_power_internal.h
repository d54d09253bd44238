#pragma once

#include <vector>

#include "weir/signal/ops/band_power/band_power.h"
#include "weir/signal/window_rows_step.h"

namespace weir::signal {

/// A weighted sum of the powers of neighbouring frequencies.
struct WeighedBins {
  std::int64_t first = 0;
  std::vector<float> weights;
};

/// What the columns of a channel are made of.
struct WeighedBands {
  std::vector<WeighedBins> bands;
  WeighedBins total;  ///< What bands are shares of; without weights they are none.
  std::int64_t bins = 0;
};

/// `sums`: of 32 channels. Source: Kahan 1965 (the sum).
void weigh_powers(const WeighedBins& of, const float* powers, float* sums);

WindowColumns::Launch band_power_on(const op::DevicePlace& place, const WeighedBands& bands,
                                    std::int64_t channels);
std::size_t band_power_table_bytes(const WeighedBands& bands);

}  // namespace weir::signal
