#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/op/operator.h"
#include "weir/signal/polyphase_step.h"

namespace weir::signal {

/// What scipy.signal.savgol_filter does at the ends.
enum class SavgolMode {
  interp,  ///< The polynomials of the first and the last window, evaluated up to the end.
  mirror,
  nearest,
  constant,  ///< Zeros.
  reflect,
  odd
};
std::span<const op::EnumName<SavgolMode>> names_of(SavgolMode);

/// Smoothing, or a derivative, by polynomials fitted to every window of samples.
struct Savgol {
  std::int64_t window_length = 0;  ///< Odd.
  std::int64_t polyorder = 0;      ///< Below window_length.
  std::int64_t deriv = 0;          ///< Order of the derivative.
  double delta = 1;                ///< Distance of samples, in the unit of the derivative.
  SavgolMode mode = SavgolMode::interp;
};

/// Weights of the samples of a window: the derivative at `at`, counted in samples from the middle,
/// of the polynomial fitted to them by least squares.
/// Shape:  [window_length], in the order of the samples.
/// Source: Gram polynomials (Gorry 1990); they stay orthogonal where powers of the place do not.
std::vector<double> savgol_weights(const Savgol& params, std::int64_t at);

const op::Operator& savgol_operator();

}  // namespace weir::signal
