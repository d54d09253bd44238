#pragma once

#include <cstddef>
#include <memory>

#include "weir/signal/ops/percentile_clip/percentile_clip.h"
#include "weir/signal/spread_fit.h"

namespace weir::signal {

/// Measures {"lower": [per channel, physical units], "upper": …} of what is asked for; null where a
/// channel has no values. NaN is left out.
std::unique_ptr<op::Fitter> make_percentile_fitter(const PercentileClip& params,
                                                   const StreamInfo& in, const FitPlace& place);
/// Bytes each of its tasks (a channel) adds while it runs.
std::size_t percentile_fit_task_bytes(const StreamInfo& in, std::size_t memory_bytes);

}  // namespace weir::signal
