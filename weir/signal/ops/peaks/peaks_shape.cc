#include <algorithm>

#include "weir/signal/ops/peaks/peaks_internal.h"

namespace weir::signal {
namespace {
/// One channel's kept samples, physical and oriented.
struct Samples {
  Block<const float> rows;
  std::int64_t length;
  std::int64_t lane;
  float turn;
  double gain;

  double operator()(std::int64_t frame) const {
    return double{rows.row(frame % length)[lane] * turn} * gain;
  }
};

/// Where the signal falls to its lowest before it rises above the peak or the window ends.
struct Base {
  std::int64_t frame;
  double value;
};

Base base_of(const Samples& samples, std::int64_t peak, std::int64_t step, std::int64_t last) {
  const double top = samples(peak);
  Base base{peak, top};
  for (std::int64_t at = peak; (last - at) * step >= 0; at += step) {
    const double value = samples(at);
    if (!(value <= top)) {
      break;
    }
    if (value < base.value) {
      base = {at, value};
    }
  }
  return base;
}

/// Where the signal crosses `height` on the way from the peak to a base, between samples.
double crossing(const Samples& samples, std::int64_t peak, const Base& base, std::int64_t step,
                double height) {
  std::int64_t at = peak;
  while ((base.frame - at) * step > 0 && height < samples(at)) {
    at += step;
  }
  auto place = static_cast<double>(at);
  if (samples(at) < height) {
    const double part = (height - samples(at)) / (samples(at - step) - samples(at));
    place -= static_cast<double>(step) * part;
  }
  return place;
}
}  // namespace

bool stands_out(const PeakPlan& plan, const PeakState& state, std::int64_t lane, float side,
                const PeakCandidate& candidate) {
  const PeakRules& rules = plan.rules;
  const PeakLevels& levels = plan.levels[static_cast<std::size_t>(state.at.first_channel + lane)];
  const Samples samples{state.rows.as<float>(), rules.kept_rows(), lane, side * levels.sign,
                        levels.gain};
  const std::int64_t peak = candidate.peak();
  const Base left = base_of(samples, peak, -1,
                            std::max<std::int64_t>(state.at.first_frame, peak - rules.half_window));
  const Base right =
      base_of(samples, peak, 1, std::min(state.next_frame - 1, peak + rules.half_window));
  const double prominence = samples(peak) - std::max(left.value, right.value);
  if (!(prominence >= levels.prominence)) {
    return false;
  }
  if (rules.width <= 0) {
    return true;
  }
  const double height = samples(peak) - prominence * rules.rel_height;
  return crossing(samples, peak, right, 1, height) - crossing(samples, peak, left, -1, height) >=
         rules.width;
}

}  // namespace weir::signal
