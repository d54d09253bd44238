#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/stream.h"
#include "weir/op/operator.h"
#include "weir/signal/polyphase.h"
#include "weir/signal/window.h"

namespace weir::signal {

enum class ResamplePad { odd, zero };
std::span<const op::EnumName<ResamplePad>> names_of(ResamplePad);

/// Another sample rate by a rational polyphase filter, aligned as scipy.signal.resample_poly.
struct Resample {
  std::optional<double> rate_hz = {};  ///< Either this or `up` and `down`.
  std::optional<std::int64_t> up = {};
  std::optional<std::int64_t> down = {};
  double rate_tolerance_ppm = 100;
  Window window = {WindowKind::kaiser, {5.0}};
  ResamplePad pad = ResamplePad::odd;
};

/// The fraction with the smallest denominator (then numerator) within `tolerance_ppm` of `wanted`.
/// Range:  `wanted` > 0.
/// Source: Stern-Brocot descent, by whole runs (Graham, Knuth & Patashnik, 4.5).
Rational simplest_ratio(const Rational& wanted, double tolerance_ppm);

/// The taps of scipy.signal.resample_poly at the up-sampled rate, gain `up`; {1} for 1/1.
std::vector<double> resample_taps(std::int64_t up, std::int64_t down, const Window& window);

PolyphasePlan plan_resample(std::int64_t up, std::int64_t down, const Window& window);

/// A stream at `ratio` times its rate: segments keep their times and round their lengths up.
/// Errors: `invalid_spec` when the rate does not fit.
StreamInfo at_ratio(StreamInfo stream, const Rational& ratio);

Edge edge_of(ResamplePad pad) noexcept;

const op::Operator& resample_operator();

}  // namespace weir::signal
