#pragma once

#include <optional>

#include "weir/signal/ops/iir/iir_plan.h"

namespace weir::signal {

/// Removes a frequency and its harmonics: a cascade of notches of one bandwidth.
struct Comb : IirRunning {
  double freq_hz = 0;
  double q = 30;
  std::optional<std::int64_t> harmonics;  ///< The fundamental counts; all below Nyquist if absent.
};

/// The notches, the fundamental first.
/// Errors: `invalid_spec` naming freq_hz, q or harmonics.
Sections design(const Comb& comb, double rate_hz);

const op::Operator& comb_operator();

}  // namespace weir::signal
