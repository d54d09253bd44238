#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/sample_rate.h"
#include "weir/op/operator.h"
#include "weir/signal/polyphase_step.h"
#include "weir/signal/window.h"

namespace weir::signal {

enum class FirMode {
  causal,
  centred,
  zero_phase  ///< Centred, forward and then backward: gain and attenuation in dB twice as large.
};
enum class FirDesign { window, least_squares, equiripple };
std::span<const op::EnumName<FirBand>> names_of(FirBand);
std::span<const op::EnumName<FirDesign>> names_of(FirDesign);
std::span<const op::EnumName<FirMode>> names_of(FirMode);

/// A finite impulse response, given or designed.
struct Fir {
  std::vector<double> taps = {};  ///< Either these, or a design.
  FirDesign design = FirDesign::window;
  std::optional<FirBand> band = {};
  std::vector<double> cutoff_hz = {};
  std::optional<std::int64_t> length = {};
  Window window = {};
  std::optional<double> attenuation_db = {};  ///< A Kaiser window that reaches this.
  std::optional<double> transition_hz = {};   ///< Around each cut-off.
  std::vector<double> bands_hz = {};          ///< Pairs of edges of the optimal designs.
  std::vector<double> desired = {};           ///< Gain of each of these bands.
  std::vector<double> weight = {};            ///< How much an error in each counts.
  FirMode mode = FirMode::causal;
  Edge edge = Edge::zero;
  SumMethod method = SumMethod::automatic;
};

/// The taps given, or those of scipy.signal.firwin, firls or remez.
/// Errors: `invalid_spec` naming the field.
std::vector<double> fir_taps(const Fir& params, const SampleRate& rate);

/// The filter ready to run, at ratio 1: y[t] = sum_j h[j] x[t - j], or x[t + middle - j] when
/// centred. In mode `zero_phase` the taps are those of h after its reverse.
PolyphasePlan plan_fir(const std::vector<double>& taps, FirMode mode);

const op::Operator& fir_operator();

}  // namespace weir::signal
