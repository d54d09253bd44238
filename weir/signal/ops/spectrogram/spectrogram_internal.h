#pragma once

#include "weir/signal/ops/spectrogram/spectrogram.h"
#include "weir/signal/window_rows_step.h"

namespace weir::signal {

/// The frequencies that are kept, of a transform of `size` frames.
struct KeptBins {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t size = 0;

  bool is_double(std::int64_t bin) const noexcept { return bin > 0 && 2 * bin < size; }
};

/// From [bins, 32] to a row of `kept.count` columns a channel; twice the power where a frequency
/// stands for its negative as well.
void spread_powers(const KeptBins& kept, const float* powers, std::int64_t channels, float* row);

WindowColumns::Launch spectrogram_on(const op::DevicePlace& place, const KeptBins& kept,
                                     std::int64_t channels);

}  // namespace weir::signal
