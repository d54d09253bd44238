#include "weir/signal/polyphase.h"

namespace weir::signal {
namespace {
std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
}  // namespace

PolyphasePlan plan_taps(const std::vector<double>& taps, std::int64_t after) {
  const auto length = static_cast<std::int64_t>(taps.size());
  PolyphasePlan plan{.before = length - 1 - after, .after = after, .length = length};
  plan.phases.push_back({-plan.before, length, 0});
  for (auto tap = taps.rbegin(); tap != taps.rend(); ++tap) {
    plan.taps.push_back(static_cast<float>(*tap));
  }
  return plan;
}

// Output k sums h[half + k down - j up] x[j]. With k down = b up + r and j = b + i, the phase r
// meets the taps half + r - i up: every up-th one, last to first.
PolyphasePlan plan_ratio(const Rational& ratio, const std::vector<double>& taps) {
  const std::int64_t up = ratio.numerator();
  PolyphasePlan plan{
      .up = up, .down = ratio.denominator(), .length = static_cast<std::int64_t>(taps.size())};
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
