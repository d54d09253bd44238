#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/teager_kaiser/teager_kaiser.h"

namespace weir::signal {

/// The last three rows of a segment: row k stands at k mod 3.
struct TeagerKaiserState final : op::State {
  static constexpr std::int64_t kRows = 3;
  explicit TeagerKaiserState(std::int64_t channel_count)
      : channels(channel_count), past(SampleType::float32, kRows, channel_count) {}
  const float* row(std::int64_t row, Block<const float> in) const noexcept {
    return row >= fed ? in.row(row - fed) : past.as<float>().row(row % kRows);
  }

  std::int64_t channels;
  std::int64_t fed = 0;
  Buffer past;
};

/// Outputs that are final after `fed` rows: the first waits for the second, whose value it takes.
inline std::int64_t energies_after(std::int64_t fed) noexcept {
  return fed < 3 ? 0 : fed - 1;
}

/// One row from the three around it.
void teager_kaiser_row(const float* before, const float* here, const float* after,
                       std::int64_t channels, float* energy);

std::unique_ptr<op::DeviceStep> teager_kaiser_on(const op::DevicePlace& place,
                                                 std::int64_t channels);

}  // namespace weir::signal
