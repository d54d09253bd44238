#include "weir/signal/notch_design.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "weir/core/error.h"

namespace weir::signal {
namespace {

/// The poles that both have, and 1 - b0 of the notch.
struct Resonance {
  Section section;
  double lost;
  double turned;  ///< 1 - cos of the frequency, without the difference.
};

Resonance resonance(double frequency_hz, double bandwidth_hz, double rate_hz) {
  const double half = std::sin(std::numbers::pi * frequency_hz / rate_hz);
  const double width = std::tan(std::numbers::pi * bandwidth_hz / rate_hz);
  Resonance made{{}, width / (1 + width), 2 * half * half};
  const double kept = 1 / (1 + width);
  made.section.alpha2 = 2 * kept * made.turned;
  made.section.alpha1 = 2 * made.lost + made.section.alpha2;
  made.section.a1 = made.section.alpha1 - 2;
  made.section.a2 = (1 - width) / (1 + width);
  return made;
}
}  // namespace

double checked_bandwidth(double frequency_hz, double q, double rate_hz) {
  if (!(frequency_hz > 0) || frequency_hz >= rate_hz / 2) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("freq_hz: {} Hz is not between 0 and Nyquist ({} Hz)", frequency_hz,
                            rate_hz / 2));
  }
  const double bandwidth_hz = frequency_hz / q;
  if (!(bandwidth_hz < rate_hz / 2)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("q: {} makes a bandwidth of {} Hz, not below Nyquist ({} Hz)", q,
                            bandwidth_hz, rate_hz / 2));
  }
  if (!(stability_margin(notch_section(frequency_hz, bandwidth_hz, rate_hz)) > 1e-12)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("q: {} leaves poles that cannot be told from the unit circle at a "
                            "rate of {} Hz",
                            q, rate_hz));
  }
  return bandwidth_hz;
}

Section notch_section(double frequency_hz, double bandwidth_hz, double rate_hz) {
  auto [section, lost, turned] = resonance(frequency_hz, bandwidth_hz, rate_hz);
  section.b0 = section.b2 = 1 - lost;
  section.beta1 = section.beta2 = section.alpha2;
  section.b1 = section.beta1 - 2 * section.b0;
  return section;
}

Section peak_section(double frequency_hz, double bandwidth_hz, double rate_hz) {
  auto [section, lost, turned] = resonance(frequency_hz, bandwidth_hz, rate_hz);
  section.b0 = lost;
  section.b1 = 0;
  section.b2 = -lost;
  section.beta1 = 2 * lost;
  section.beta2 = 0;
  return section;
}

}  // namespace weir::signal
