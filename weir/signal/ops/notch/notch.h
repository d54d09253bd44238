#pragma once

#include "weir/signal/ops/iir/iir_plan.h"

namespace weir::signal {

/// Removes one frequency, as the section of scipy.signal.iirnotch.
struct Notch : IirRunning {
  double freq_hz = 0;
  double q = 30;
};

const op::Operator& notch_operator();

}  // namespace weir::signal
