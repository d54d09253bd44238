#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/resample/resample.h"

namespace weir::signal {
namespace {
/// Half the filter in units of the longer period: SciPy's choice.
constexpr std::int64_t kHalfPeriods = 10;

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

PolyphasePlan plan_resample(std::int64_t up, std::int64_t down, const Window& window) {
  return plan_ratio(Rational(up, down), resample_taps(up, down, window));
}

}  // namespace weir::signal
