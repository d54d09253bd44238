#pragma once

#include <memory>

#include "weir/op/step.h"
#include "weir/signal/ops/whiten/whiten.h"

namespace weir::signal {

std::unique_ptr<op::Step> plan_whiten_step(const Whiten& params, const op::StepContext& context);

}  // namespace weir::signal
