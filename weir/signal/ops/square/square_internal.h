#pragma once

#include "weir/op/device_step.h"
#include "weir/signal/ops/square/square.h"

namespace weir::signal {

void square_rows(Block<const float> in, Block<float> out);

std::unique_ptr<op::DeviceStep> square_on(const op::DevicePlace& place);

}  // namespace weir::signal
