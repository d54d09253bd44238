#pragma once

#include "weir/op/device_step.h"
#include "weir/signal/ops/rectify/rectify.h"

namespace weir::signal {

void rectify_rows(RectifyMode mode, const float* signs, Block<const float> in, Block<float> out);

std::unique_ptr<op::DeviceStep> rectify_on(const op::DevicePlace& place, RectifyMode mode,
                                           const std::vector<float>& signs);

}  // namespace weir::signal
