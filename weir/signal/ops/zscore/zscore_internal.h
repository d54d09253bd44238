#pragma once

#include <memory>

#include "weir/signal/ops/zscore/zscore.h"

namespace weir::signal {

ZscoreMode mode_of(const Zscore& params) noexcept;
std::unique_ptr<op::Step> plan_global_zscore(const Zscore& params, const op::StepContext& context);

}  // namespace weir::signal
