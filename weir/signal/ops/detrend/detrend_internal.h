#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/op/device_step.h"
#include "weir/signal/ops/detrend/detrend.h"

namespace weir::signal {

/// level + slope * (frame - middle) of each channel of a segment. Units: counts, a frame.
/// Shape: padded channels.
struct Trend {
  double middle = 0;  ///< Frame of the middle of the segment.
  std::vector<double> level;
  std::vector<double> slope;
};

/// x - trend in float64, rounded once. `first_channel`: of the trend's; row 0 of `in` is frame
/// `first`.
void detrend_rows(const Trend& trend, std::int64_t first_channel, std::int64_t first,
                  Block<const float> in, Block<float> out);

std::unique_ptr<op::DeviceStep> detrend_on(const op::DevicePlace& place, const op::StartPoint& at,
                                           const Trend& trend);

/// Where a State stands in its segment.
struct DetrendState final : op::State {
  op::StartPoint at;
  std::int64_t next_frame = 0;
};

/// Measures {"level": [segment: [channel: physical units]], "slope": [… a frame]}, null where a
/// channel of a segment has no finite value. NaN and infinities are left out.
std::unique_ptr<op::Fitter> make_trend_fitter(DetrendType type, const StreamInfo& in);
std::size_t trend_fit_bytes(const StreamInfo& in) noexcept;

}  // namespace weir::signal
