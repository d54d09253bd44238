#pragma once

#include <cstddef>
#include <memory>

#include "weir/op/step.h"

namespace weir::signal {

/// Mean and population standard deviation of each channel's physical values, from sums in float64
/// as the frames go by: {"middle": […], "scale": […]}, null where a channel has no finite value.
/// NaN and infinities are left out. Keeps no frames, so it serves `whole` fits.
std::unique_ptr<op::Fitter> make_moment_fitter(const StreamInfo& in);
std::size_t moment_fit_bytes(std::int64_t channels) noexcept;

}  // namespace weir::signal
