#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/op/operator.h"
#include "weir/signal/polyphase_step.h"

namespace weir::signal {

enum class HilbertOutput {
  envelope,   ///< Amplitude of the analytic signal, sqrt(x^2 + H(x)^2).
  quadrature  ///< Its imaginary part H(x): every frequency a quarter turn later.
};
std::span<const op::EnumName<HilbertOutput>> names_of(HilbertOutput);

/// The analytic signal by a filter, between `low_hz` and as far from Nyquist.
struct Hilbert {
  double low_hz = 0;
  double attenuation_db = 80;  ///< Of what the filter leaves out: the ripple of its gain.
  std::optional<std::int64_t> length = {};
  HilbertOutput output = HilbertOutput::envelope;
  Edge edge = Edge::reflect;
  SumMethod method = SumMethod::automatic;
};

/// Taps of odd length, antisymmetric: 2 / (pi n) at odd n, Kaiser's window.
/// Source: Oppenheim & Schafer, 3rd ed., 12.4 (FIR Hilbert transformers by windows).
std::vector<double> hilbert_taps(std::int64_t length, double attenuation_db);

/// The length that a lowest frequency, as a fraction of Nyquist, and an attenuation need.
std::int64_t hilbert_length(double low, double attenuation_db) noexcept;

const op::Operator& hilbert_operator();

}  // namespace weir::signal
