#pragma once

#include <memory>

#include "weir/op/step.h"
#include "weir/signal/ops/peaks/peaks.h"

namespace weir::signal {

std::unique_ptr<op::Step> plan_peaks_step(const Peaks& params, const op::StepContext& context);

}  // namespace weir::signal
