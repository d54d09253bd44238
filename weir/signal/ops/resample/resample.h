#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/sample_rate.h"
#include "weir/op/operator.h"
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
  Window window = {WindowKind::kaiser, 5.0};
  ResamplePad pad = ResamplePad::odd;
};

/// The fraction with the smallest denominator (then numerator) within `tolerance_ppm` of `wanted`.
/// Range:  `wanted` > 0.
/// Source: Stern-Brocot descent, by whole runs (Graham, Knuth & Patashnik, 4.5).
Rational simplest_ratio(const Rational& wanted, double tolerance_ppm);

/// Where one phase of the filter stands: output k uses input frames from
/// floor(k down / up) + first on, `count` of them, with taps from `tap` on.
struct ResamplePhase {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t tap = 0;
};

/// The filter of one ratio, ready to run: output k has phase (k down) mod up.
struct ResamplePlan {
  std::int64_t up = 1;
  std::int64_t down = 1;
  std::int64_t before = 0;  ///< Most frames used before floor(k down / up).
  std::int64_t after = 0;   ///< Most frames used after it.
  std::int64_t length = 1;  ///< Taps of the whole filter.
  std::vector<ResamplePhase> phases = {};
  std::vector<float> taps = {};  ///< Phase by phase, in the order of the input frames they meet.

  std::int64_t span() const noexcept { return before + after + 1; }
};

/// The taps of scipy.signal.resample_poly at the up-sampled rate, gain `up`; {1} for 1/1.
std::vector<double> resample_taps(std::int64_t up, std::int64_t down, const Window& window);

ResamplePlan plan_resample(std::int64_t up, std::int64_t down, const Window& window);

const op::Operator& resample_operator();

}  // namespace weir::signal
