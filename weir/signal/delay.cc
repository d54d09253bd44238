#include "weir/signal/delay.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>

#include "weir/core/block.h"
#include "weir/signal/window.h"

namespace weir::signal {
namespace {
std::int64_t whole(double delay) noexcept {
  return static_cast<std::int64_t>(std::floor(delay));
}

double fraction_of(double delay) noexcept {
  return delay - std::floor(delay);
}

/// The offsets n of the taps h[n], y[t] = sum_n h[n] x[t - n], that are not 0.
struct Reach {
  std::int64_t first;
  std::int64_t last;
};

Reach reach_of(double delay, const DelayDesign& design) noexcept {
  const std::int64_t n = whole(delay);
  return fraction_of(delay) == 0 ? Reach{n, n}
                                 : Reach{n - design.taps / 2 + 1, n + design.taps / 2};
}

Reach reach_of(const std::vector<double>& delays, const DelayDesign& design) noexcept {
  Reach all = reach_of(delays.front(), design);
  for (const double delay : delays) {
    const Reach one = reach_of(delay, design);
    all = {std::min(all.first, one.first), std::max(all.last, one.last)};
  }
  return all;
}

/// Amplitude of what is left of a sine of this frequency, in cycles a sample, after the delay's
/// ideal answer is taken off.
double error_at(const std::vector<double>& taps, double fraction, double frequency) {
  const double turn = 2 * std::numbers::pi * frequency;
  std::complex<double> sum = -std::polar(1.0, -turn * fraction);
  const auto half = std::floor(static_cast<double>(taps.size()) / 2);
  for (std::size_t j = 0; j < taps.size(); ++j) {
    sum += taps[j] * std::polar(1.0, -turn * (static_cast<double>(j) - half + 1));
  }
  return std::abs(sum);
}
}  // namespace

std::vector<double> delay_taps(double fraction, const DelayDesign& design) {
  if (fraction == 0) {
    return {1.0};
  }
  const auto half = static_cast<double>(design.taps) / 2;
  std::vector<double> taps;
  double sum = 0;
  for (std::int64_t j = 0; j < design.taps; ++j) {
    const double at = static_cast<double>(j) - half + 1 - fraction;
    const double angle = std::numbers::pi * at;
    taps.push_back(std::sin(angle) / angle * kaiser_at(at / half, design.kaiser_beta));
    sum += taps.back();
  }
  for (double& tap : taps) {
    tap /= sum;
  }
  return taps;
}

std::int64_t delay_span(const std::vector<double>& delays, const DelayDesign& design) {
  const Reach reach = reach_of(delays, design);
  return reach.last - reach.first + 1;
}

PolyphasePlan plan_delays(const std::vector<double>& delays, const DelayDesign& design) {
  const Reach reach = reach_of(delays, design);
  PolyphasePlan plan{.length = reach.last - reach.first + 1};
  plan.after = std::max<std::int64_t>(-reach.first, 0);
  // A segment too short for its end to be mirrored goes on before its start.
  plan.before = std::max(reach.last, plan.after);
  plan.phases.push_back({-reach.last, plan.length, 0});
  plan.tap_stride =
      delays.size() == 1
          ? 1
          : std::max(padded_channels(static_cast<std::int64_t>(delays.size())), kLanePadding);
  plan.taps.resize(static_cast<std::size_t>(plan.length * plan.tap_stride));
  for (std::size_t c = 0; c < delays.size(); ++c) {
    const auto taps = delay_taps(fraction_of(delays[c]), design);
    // Tap 0 of the delay meets the latest row.
    const std::int64_t latest = plan.length - 1 - (reach_of(delays[c], design).first - reach.first);
    for (std::size_t j = 0; j < taps.size(); ++j) {
      const std::int64_t row = latest - static_cast<std::int64_t>(j);
      plan.taps[static_cast<std::size_t>(row * plan.tap_stride) + c] = static_cast<float>(taps[j]);
    }
  }
  return plan;
}

double delay_band(const std::vector<double>& delays, const DelayDesign& design, double error) {
  constexpr int kSteps = 500;
  std::set<double> fractions;
  for (const double delay : delays) {
    fractions.insert(fraction_of(delay));
  }
  int within = kSteps;
  for (const double fraction : fractions) {
    const auto taps = delay_taps(fraction, design);
    for (int i = 1; i <= within && fraction > 0; ++i) {
      if (error_at(taps, fraction, 0.5 * i / kSteps) > error) {
        within = i - 1;
      }
    }
  }
  return 0.5 * within / kSteps;
}

}  // namespace weir::signal
