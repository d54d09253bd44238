#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/sample_rate.h"
#include "weir/op/operator.h"
#include "weir/signal/polyphase.h"
#include "weir/signal/window.h"

namespace weir::signal {

enum class FirMode { causal, centred };
std::span<const op::EnumName<FirBand>> names_of(FirBand);
std::span<const op::EnumName<FirMode>> names_of(FirMode);

/// A finite impulse response, given or designed.
struct Fir {
  std::vector<double> taps = {};  ///< Either these, or `band`, `cutoff_hz` and `length`.
  std::optional<FirBand> band = {};
  std::vector<double> cutoff_hz = {};
  std::optional<std::int64_t> length = {};
  Window window = {};
  FirMode mode = FirMode::causal;
  Edge edge = Edge::zero;
};

/// The taps given, or those of scipy.signal.firwin.
/// Errors: `invalid_spec` naming the field.
std::vector<double> fir_taps(const Fir& params, const SampleRate& rate);

/// The filter ready to run, at ratio 1: y[t] = sum_j h[j] x[t - j], or x[t + middle - j] when
/// centred.
PolyphasePlan plan_fir(const std::vector<double>& taps, FirMode mode);

const op::Operator& fir_operator();

}  // namespace weir::signal
