#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/centring.h"
#include "weir/signal/ops/subtract_baseline/subtract_baseline.h"

namespace weir::signal {

/// A delay of as many rows as the baseline has: row k of the segment stands at k mod rows.
struct BaselineState final : op::State {
  BaselineState(std::int64_t rows, std::int64_t channel_count)
      : channels(channel_count),
        past(SampleType::float32, rows, channel_count),
        column(static_cast<std::size_t>(rows)),
        centring(channel_count) {}

  std::int64_t channels;
  std::int64_t fed = 0;
  std::int64_t emitted = 0;
  Buffer past;
  std::vector<float> column;  ///< Room for one channel's baseline.
  Centring centring;          ///< Set once the baseline is known.
};

/// NaN and infinities are left out; NaN when nothing is left. `values` is sorted in part.
double baseline_of(BaselineStatistic statistic, std::span<float> values);

std::unique_ptr<op::DeviceStep> subtract_baseline_on(const op::DevicePlace& place,
                                                     BaselineStatistic statistic, std::int64_t rows,
                                                     std::int64_t channels);

}  // namespace weir::signal
