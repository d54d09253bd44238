#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/fir/fir.h"
#include "weir/signal/ops/fir/fir_optimal.h"

namespace weir::signal {
namespace {
/// Beyond them an optimal design takes seconds, or float64 does not find it.
constexpr std::int64_t kMostLeastSquares = 2001;
constexpr std::int64_t kMostEquiripple = 1001;

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::invalid_spec, fmt::format(text, std::forward<Args>(args)...));
}

void check_given(const Fir& params) {
  if (params.band || !params.cutoff_hz.empty() || params.length || params.attenuation_db ||
      params.transition_hz || !params.bands_hz.empty() || params.design != FirDesign::window) {
    refuse("taps: give either taps, or band, cutoff_hz and length, not both");
  }
  for (const double tap : params.taps) {
    if (!std::isfinite(static_cast<float>(tap))) {
      refuse("taps: {} is not a finite float32", tap);
    }
  }
}

bool has_two_edges(FirBand band) noexcept {
  return band == FirBand::bandpass || band == FirBand::bandstop;
}

void check_band(const Fir& params, const SampleRate& rate) {
  if (!params.band) {
    refuse("band: is required (or taps)");
  }
  const bool two = has_two_edges(*params.band);
  const std::size_t wanted = two ? 2 : 1;
  if (params.cutoff_hz.size() != wanted) {
    refuse("cutoff_hz: {} values, but this band has {}", params.cutoff_hz.size(),
           two ? "two edges" : "one edge");
  }
  const double nyquist = rate.hz() / 2;
  for (const double edge : params.cutoff_hz) {
    if (!(edge > 0 && edge < nyquist)) {
      refuse("cutoff_hz: {} Hz does not lie between 0 and Nyquist ({} Hz)", edge, nyquist);
    }
  }
  if (two && params.cutoff_hz[0] >= params.cutoff_hz[1]) {
    refuse("cutoff_hz: {} Hz is not below {} Hz", params.cutoff_hz[0], params.cutoff_hz[1]);
  }
}

void check_odd(std::int64_t length) {
  if (length % 2 == 0) {
    refuse("length: {} is even; a designed filter needs an odd length", length);
  }
}

/// The length given, or that which attenuation and transition need.
std::int64_t window_length(const Fir& params, double nyquist) {
  if (!params.attenuation_db) {
    if (!params.length) {
      refuse("length: is required (or taps, or attenuation_db and transition_hz)");
    }
    if (params.transition_hz) {
      refuse(
          "transition_hz: a window's width follows from its length; with attenuation_db, or "
          "design \"least_squares\" or \"equiripple\", it can be chosen");
    }
    return *params.length;
  }
  if (!params.transition_hz) {
    if (!params.length) {
      refuse("transition_hz: is required beside attenuation_db (or length)");
    }
    return *params.length;
  }
  const std::int64_t needed =
      std::max<std::int64_t>(
          1, kaiser_length(*params.attenuation_db, *params.transition_hz / nyquist)) |
      1;
  if (params.length && *params.length < needed) {
    refuse("length: {} taps are fewer than the {} that {} dB over {} Hz need", *params.length,
           needed, *params.attenuation_db, *params.transition_hz);
  }
  return params.length.value_or(needed);
}

std::vector<double> windowed(const Fir& params, const SampleRate& rate) {
  check_band(params, rate);
  if (!params.bands_hz.empty() || !params.desired.empty() || !params.weight.empty()) {
    refuse("{}: is for the designs \"least_squares\" and \"equiripple\"",
           !params.bands_hz.empty() ? "bands_hz" : (params.desired.empty() ? "weight" : "desired"));
  }
  const double nyquist = rate.hz() / 2;
  const std::int64_t length = window_length(params, nyquist);
  check_odd(length);
  if (length > 100'000) {
    refuse("transition_hz: {} Hz need {} taps, more than 100000", params.transition_hz.value_or(0),
           length);
  }
  Window window = params.window;
  if (params.attenuation_db) {
    if (window != Window{}) {
      refuse("window: give either a window or attenuation_db, which takes Kaiser's");
    }
    window = {WindowKind::kaiser, {kaiser_beta(*params.attenuation_db)}};
  }
  std::vector<double> edges = params.cutoff_hz;
  for (double& edge : edges) {
    edge /= nyquist;
  }
  return in_context("window", [&] { return windowed_sinc(*params.band, edges, length, window); });
}

/// Pass and stop bands on both sides of each cut-off's transition.
FirGoal goal_of_band(const Fir& params, double nyquist) {
  if (!params.transition_hz) {
    refuse("transition_hz: is required with this design (or bands_hz and desired)");
  }
  FirGoal goal{.edges = {0}};
  double gain = *params.band == FirBand::lowpass || *params.band == FirBand::bandstop ? 1 : 0;
  goal.gains.push_back(gain);
  for (const double cutoff : params.cutoff_hz) {
    goal.edges.push_back((cutoff - *params.transition_hz / 2) / nyquist);
    goal.edges.push_back((cutoff + *params.transition_hz / 2) / nyquist);
    goal.gains.push_back(gain = 1 - gain);
  }
  goal.edges.push_back(1);
  if (!std::is_sorted(goal.edges.begin(), goal.edges.end(), std::less_equal<>())) {
    refuse("transition_hz: {} Hz leave no room for the bands beside cutoff_hz",
           *params.transition_hz);
  }
  return goal;
}

FirGoal goal_of(const Fir& params, const SampleRate& rate) {
  const double nyquist = rate.hz() / 2;
  FirGoal goal;
  if (params.bands_hz.empty()) {
    check_band(params, rate);
    goal = goal_of_band(params, nyquist);
  } else {
    if (params.band || !params.cutoff_hz.empty() || params.transition_hz) {
      refuse("bands_hz: give either bands_hz and desired, or band, cutoff_hz and transition_hz");
    }
    for (const double edge : params.bands_hz) {
      goal.edges.push_back(edge / nyquist);
    }
    goal.gains = params.desired;
  }
  if (goal.edges.size() != 2 * goal.gains.size()) {
    refuse("desired: {} gains, but bands_hz has {} edges, which are two for each",
           goal.gains.size(), goal.edges.size());
  }
  for (std::size_t i = 0; i + 1 < goal.edges.size(); ++i) {
    if (!(goal.edges[i] < goal.edges[i + 1] && goal.edges[i + 1] <= 1)) {
      refuse("bands_hz: {} and {} Hz do not rise, or not up to Nyquist ({} Hz)",
             goal.edges[i] * nyquist, goal.edges[i + 1] * nyquist, nyquist);
    }
  }
  goal.weights = params.weight;
  if (goal.weights.empty()) {
    goal.weights.assign(goal.gains.size(), 1.0);
  }
  if (goal.weights.size() != goal.gains.size()) {
    refuse("weight: {} values for {} bands", goal.weights.size(), goal.gains.size());
  }
  return goal;
}

std::vector<double> optimal(const Fir& params, const SampleRate& rate) {
  const FirGoal goal = goal_of(params, rate);
  if (params.attenuation_db || params.window != Window{}) {
    refuse("{}: is for the design \"window\"", params.attenuation_db ? "attenuation_db" : "window");
  }
  if (!params.length) {
    refuse("length: is required (or taps)");
  }
  check_odd(*params.length);
  const bool squares = params.design == FirDesign::least_squares;
  const std::int64_t most = squares ? kMostLeastSquares : kMostEquiripple;
  if (*params.length < 3 || *params.length > most) {
    refuse("length: {} taps; this design makes 3 to {}", *params.length, most);
  }
  return squares ? least_squares_fir(goal, *params.length) : equiripple_fir(goal, *params.length);
}

/// h after its reverse: sum_i h[i] h[i + k] for every k.
std::vector<double> forward_and_backward(const std::vector<double>& taps) {
  const std::size_t length = taps.size();
  std::vector<double> both(2 * length - 1);
  for (std::size_t k = 0; k < length; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i + k < length; ++i) {
      sum += taps[i] * taps[i + k];
    }
    both[length - 1 + k] = both[length - 1 - k] = sum;
  }
  return both;
}
}  // namespace

std::vector<double> fir_taps(const Fir& params, const SampleRate& rate) {
  std::vector<double> taps = params.taps;
  if (!taps.empty()) {
    check_given(params);
  } else {
    taps = params.design == FirDesign::window ? windowed(params, rate) : optimal(params, rate);
  }
  if (params.mode == FirMode::centred && taps.size() % 2 == 0) {
    refuse("taps: {} taps have no middle; mode \"centred\" needs an odd number", taps.size());
  }
  return taps;
}

PolyphasePlan plan_fir(const std::vector<double>& given, FirMode mode) {
  const auto taps = mode == FirMode::zero_phase ? forward_and_backward(given) : given;
  const auto length = static_cast<std::int64_t>(taps.size());
  return plan_taps(taps, mode == FirMode::causal ? 0 : (length - 1) / 2);
}

}  // namespace weir::signal
