#pragma once

#include <optional>

#include "weir/op/operator.h"
#include "weir/signal/spectral_plan.h"

namespace weir::signal {

/// Power over time and frequency: a row for each window, a channel for each frequency of each
/// channel. The defaults are scipy.signal.spectrogram's.
struct Spectrogram : SpectralWindows {
  Spectrogram() { window = {.kind = WindowKind::tukey, .parameters = {0.25}}; }
  SpectralScaling scaling = SpectralScaling::density;
  std::optional<double> low_hz;
  std::optional<double> high_hz;
};

const op::Operator& spectrogram_operator();

}  // namespace weir::signal
