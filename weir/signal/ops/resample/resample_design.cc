#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/resample/resample.h"

namespace weir::signal {
namespace {
/// Half the filter in units of the longer period: SciPy's choice.
constexpr std::int64_t kHalfPeriods = 10;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The simplest fraction in [low, high].
Rational simplest_between(const Rational& low, const Rational& high) {
  const Rational whole(low.floor_times(1));
  if (whole == low) {
    return whole;
  }
  if (whole + Rational(1) <= high) {
    return whole + Rational(1);
  }
  return whole +
         Rational(1) / simplest_between(Rational(1) / (high - whole), Rational(1) / (low - whole));
}
}  // namespace

Rational simplest_ratio(const Rational& wanted, double tolerance_ppm) {
  const Rational part = Rational::from_decimal(tolerance_ppm) / Rational(1'000'000);
  return simplest_between(wanted * (Rational(1) - part), wanted * (Rational(1) + part));
}

std::vector<double> resample_taps(std::int64_t up, std::int64_t down, const Window& window) {
  const std::int64_t most = std::max(up, down);
  if (most == 1) {
    return {1.0};
  }
  auto taps = windowed_sinc(FirBand::lowpass, {1.0 / static_cast<double>(most)},
                            2 * kHalfPeriods * most + 1, window);
  for (double& tap : taps) {
    tap *= static_cast<double>(up);
  }
  return taps;
}

// Output k sums h[half + k down - j up] x[j]. With k down = b up + r and j = b + i, the phase r
// meets the taps half + r - i up: every up-th one, last to first.
PolyphasePlan plan_resample(std::int64_t up, std::int64_t down, const Window& window) {
  const std::vector<double> taps = resample_taps(up, down, window);
  PolyphasePlan plan{.up = up, .down = down, .length = static_cast<std::int64_t>(taps.size())};
  const std::int64_t half = (plan.length - 1) / 2;
  plan.before = half / up;
  plan.after = (half + up - 1) / up;
  for (std::int64_t r = 0; r < up; ++r) {
    const std::int64_t first = -floor_divide(half - r, up);
    const std::int64_t last = floor_divide(half + r, up);
    plan.phases.push_back({first, last - first + 1, static_cast<std::int64_t>(plan.taps.size())});
    for (std::int64_t i = first; i <= last; ++i) {
      plan.taps.push_back(static_cast<float>(taps[static_cast<std::size_t>(half + r - i * up)]));
    }
  }
  return plan;
}

}  // namespace weir::signal
