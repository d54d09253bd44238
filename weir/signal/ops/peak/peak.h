#pragma once

#include "weir/signal/ops/iir/iir_plan.h"

namespace weir::signal {

/// Keeps one frequency, as the section of scipy.signal.iirpeak.
struct Peak : IirRunning {
  double freq_hz = 0;
  double q = 30;
};

const op::Operator& peak_operator();

}  // namespace weir::signal
