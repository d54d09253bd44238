#pragma once

#include "weir/signal/ops/rectify/rectify.h"

namespace weir::signal {

void rectify_rows(RectifyMode mode, const float* signs, Block<const float> in, Block<float> out);

}  // namespace weir::signal
