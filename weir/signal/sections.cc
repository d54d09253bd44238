#include "weir/signal/sections.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weir::signal {
namespace {
using Complex = std::complex<double>;
}  // namespace

Section Section::from_row(std::span<const double, 6> row) {
  Section section;
  section.b0 = row[0] / row[3];
  section.b1 = row[1] / row[3];
  section.b2 = row[2] / row[3];
  section.a1 = row[4] / row[3];
  section.a2 = row[5] / row[3];
  section.beta1 = 2 * section.b0 + section.b1;
  section.beta2 = (section.b0 + section.b1) + section.b2;
  section.alpha1 = 2 + section.a1;
  section.alpha2 = (1 + section.a1) + section.a2;
  return section;
}

double stability_margin(const Section& section) noexcept {
  const double discriminant = section.alpha1 * section.alpha1 - 4 * section.alpha2;
  if (discriminant < 0) {
    const double radius = std::sqrt(1 - section.alpha1 + section.alpha2);
    return (section.alpha1 - section.alpha2) / (1 + radius);
  }
  // Real poles z = 1 + d. The root of larger magnitude has no cancellation; the other follows.
  const double root = std::sqrt(discriminant);
  const double far =
      section.alpha1 >= 0 ? (-section.alpha1 - root) / 2 : (-section.alpha1 + root) / 2;
  const double near = far == 0 ? 0 : section.alpha2 / far;
  const auto margin = [](double d) { return d > -1 ? -d : 2 + d; };
  return std::min(margin(far), margin(near));
}

double stability_margin(std::span<const Section> sections) noexcept {
  double margin = 1;
  for (const Section& section : sections) {
    margin = std::min(margin, stability_margin(section));
  }
  return margin;
}

std::complex<double> response(std::span<const Section> sections, double frequency_hz,
                              double rate_hz) noexcept {
  const double half = std::numbers::pi * frequency_hz / rate_hz;
  // e^(2 i half) - 1, which for low frequencies must not be computed as a difference.
  const Complex d = Complex(0, 2 * std::sin(half)) * std::polar(1.0, half);
  Complex product = 1;
  for (const Section& section : sections) {
    product *= ((section.b0 * d + section.beta1) * d + section.beta2) /
               ((d + section.alpha1) * d + section.alpha2);
  }
  return product;
}

std::vector<double> impulse_response(std::span<const Section> sections, std::int64_t frames) {
  std::vector<DeltaState> states(sections.size());
  std::vector<double> out(static_cast<std::size_t>(frames));
  for (std::size_t t = 0; t < out.size(); ++t) {
    double x = t == 0 ? 1 : 0;
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      DeltaState& state = states[i];
      const double y = section.b0 * x + state.s1;
      state.s1 += section.beta1 * x - section.alpha1 * y + state.s2;
      state.s2 += section.beta2 * x - section.alpha2 * y;
      x = y;
    }
    out[t] = x;
  }
  return out;
}

std::vector<DeltaState> steady_state(std::span<const Section> sections) {
  std::vector<DeltaState> states;
  double input = 1;
  for (const Section& section : sections) {
    const double gain = section.beta2 / section.alpha2;
    states.push_back(
        {(gain - section.b0) * input, (section.alpha1 * gain - section.beta1) * input});
    input *= gain;
  }
  return states;
}

std::int64_t default_padlen(std::span<const Section> sections) noexcept {
  const auto zeros = std::count_if(sections.begin(), sections.end(),
                                   [](const Section& section) { return section.b2 == 0; });
  const auto poles = std::count_if(sections.begin(), sections.end(),
                                   [](const Section& section) { return section.a2 == 0; });
  return 3 * (2 * static_cast<std::int64_t>(sections.size()) + 1 - std::min(zeros, poles));
}

}  // namespace weir::signal
