#pragma once

#include <cstdint>
#include <optional>

#include "weir/op/operator.h"
#include "weir/signal/ops/resample/resample.h"

namespace weir::signal {

/// Every q-th sample of the low-passed signal, as scipy.signal.decimate(ftype="fir").
struct Decimate {
  std::int64_t q = 2;
  std::optional<std::int64_t> n = {};  ///< Order of the filter; 20 q when not given.
  Window window = {};
  ResamplePad pad = ResamplePad::odd;
};

/// The n + 1 taps: a windowed sinc of cut-off 1/q of Nyquist, gain 1 at 0.
/// Errors: `invalid_spec` naming the field.
std::vector<double> decimate_taps(const Decimate& params);

const op::Operator& decimate_operator();

}  // namespace weir::signal
