#include "weir/signal/ops/iir/iir_edges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weir/signal/elliptic_functions.h"

namespace weir::signal {
namespace {

/// Edges of the analogue filter that the bilinear transform makes the digital one of.
std::vector<double> warped(const std::vector<double>& edges_hz, double rate_hz) {
  std::vector<double> edges;
  edges.reserve(edges_hz.size());
  for (const double hz : edges_hz) {
    edges.push_back(std::tan(std::numbers::pi * hz / rate_hz));
  }
  return edges;
}

void widen_band_stop(std::vector<double>& pass, const std::vector<double>& stop) {
  const double centre = stop[0] * stop[1];
  if (pass[0] * pass[1] < centre) {
    pass[0] = centre / pass[1];
  } else {
    pass[1] = centre / pass[0];
  }
}

/// Where the stop-band begins on the prototype's axis, if the pass-band ends at 1.
double prototype_edge(Band band, const std::vector<double>& pass, const std::vector<double>& stop) {
  if (band == Band::lowpass) {
    return stop[0] / pass[0];
  }
  if (band == Band::highpass) {
    return pass[0] / stop[0];
  }
  double nearest = std::numeric_limits<double>::infinity();
  for (const double edge : stop) {
    const double across = std::abs(edge * edge - pass[0] * pass[1]);
    const double along = edge * (pass[1] - pass[0]);
    nearest = std::min(nearest, band == Band::bandpass ? across / along : along / across);
  }
  return nearest;
}

double order_for(Family family, double edge, const BandLimits& limits) {
  const auto ripple = static_cast<double>(level_excess(limits.ripple_db));
  const auto attenuation = static_cast<double>(level_excess(limits.attenuation_db));
  if (family == Family::butterworth) {
    return std::log(attenuation / ripple) / std::log(edge);
  }
  if (family == Family::elliptic) {
    return static_cast<double>(period_ratio(Modulus::from(ripple / attenuation)) /
                               period_ratio(Modulus::from(1 / edge)));
  }
  return std::acosh(attenuation / ripple) / std::acosh(edge);
}

/// The prototype's frequency 1 on the axis on which its pass-band ends at 1.
double natural_frequency(Family family, std::int64_t order, const BandLimits& limits) {
  const auto n = static_cast<double>(order);
  const auto ripple = static_cast<double>(level_excess(limits.ripple_db));
  if (family == Family::butterworth) {
    return std::pow(ripple, -1 / n);
  }
  if (family == Family::chebyshev2) {
    const auto attenuation = static_cast<double>(level_excess(limits.attenuation_db));
    return std::cosh(std::acosh(attenuation / ripple) / n);
  }
  return 1;
}

/// The edges that fall on +-`factor` times the prototype's pass-band edge.
std::vector<double> moved(Band band, const std::vector<double>& pass, double factor) {
  if (band == Band::lowpass) {
    return {pass[0] * factor};
  }
  if (band == Band::highpass) {
    return {pass[0] / factor};
  }
  const double half = (pass[1] - pass[0]) / 2 * (band == Band::bandpass ? factor : 1 / factor);
  const double centre = pass[0] * pass[1];
  const double high = half + std::sqrt(half * half + centre);
  return {centre / high, high};
}

}  // namespace

Band band_of(const BandLimits& limits) noexcept {
  const bool below = limits.passband_hz[0] < limits.stopband_hz[0];
  if (limits.passband_hz.size() == 1) {
    return below ? Band::lowpass : Band::highpass;
  }
  return below ? Band::bandstop : Band::bandpass;
}

SmallestFilter smallest_filter(Family family, const BandLimits& limits, double rate_hz) {
  SmallestFilter smallest;
  smallest.band = band_of(limits);
  std::vector<double> pass = warped(limits.passband_hz, rate_hz);
  const std::vector<double> stop = warped(limits.stopband_hz, rate_hz);
  if (smallest.band == Band::bandstop) {
    widen_band_stop(pass, stop);
  }
  constexpr double kMost = 1e9;
  const double order = order_for(family, prototype_edge(smallest.band, pass, stop), limits);
  smallest.order = static_cast<std::int64_t>(std::clamp(std::ceil(order), 1.0, kMost));
  const double factor = natural_frequency(family, smallest.order, limits);
  for (const double edge : moved(smallest.band, pass, factor)) {
    smallest.cutoff_hz.push_back(std::atan(edge) * rate_hz / std::numbers::pi);
  }
  return smallest;
}

}  // namespace weir::signal
