#pragma once

#include <memory>

#include "weir/op/step.h"
#include "weir/signal/running_moments.h"

namespace weir::signal {

/// The step of a running window whose output stream is `out`.
std::unique_ptr<op::Step> make_running_step(const RunningWindow& window, StreamInfo out);

}  // namespace weir::signal
