#include "weir/signal/sections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weir::signal {
namespace {
using Complex = std::complex<double>;

/// Denominator of an analogue section: s^2 + linear s + constant, or s + constant.
struct Analogue {
  double linear = 0;
  double constant = 0;
  bool first_order = false;
};

/// tan(pi f / rate) and its two ingredients; above a quarter of the rate by the co-function, which
/// keeps the digits near Nyquist.
struct Warped {
  double sine;
  double cosine;
  double tangent() const noexcept { return sine / cosine; }
};

Warped warp(double edge_hz, double rate_hz) noexcept {
  if (edge_hz <= rate_hz / 4) {
    const double angle = std::numbers::pi * edge_hz / rate_hz;
    return {std::sin(angle), std::cos(angle)};
  }
  const double angle = std::numbers::pi * (rate_hz / 2 - edge_hz) / rate_hz;
  return {std::cos(angle), std::sin(angle)};
}

/// Poles of the unit prototype with a non-negative imaginary part; the real one, if any, is last.
std::vector<Complex> prototype_poles(std::int64_t order) {
  std::vector<Complex> poles;
  for (std::int64_t k = 0; k < order / 2; ++k) {
    const double angle =
        std::numbers::pi * static_cast<double>(2 * k + 1) / static_cast<double>(2 * order);
    poles.emplace_back(-std::sin(angle), std::cos(angle));
  }
  if (order % 2 == 1) {
    poles.emplace_back(-1.0, 0.0);
  }
  return poles;
}

Analogue conjugate_pair(Complex pole) noexcept {
  return {-2 * pole.real(), std::norm(pole), false};
}

/// Roots of s^2 - 2 half s + product, the one that cancels taken from their product.
std::pair<Complex, Complex> band_roots(Complex half, double centre) {
  const Complex root = std::sqrt((half - centre) * (half + centre));
  const bool same_side = (std::conj(half) * root).real() >= 0;
  const Complex large = same_side ? half + root : half - root;
  return {large, centre * centre / large};
}

std::vector<Analogue> single_edge(Band band, std::int64_t order, double edge) {
  std::vector<Analogue> sections;
  for (const Complex& pole : prototype_poles(order)) {
    const Complex moved = band == Band::lowpass ? edge * pole : edge / pole;
    if (pole.imag() == 0) {
      sections.push_back({0, -moved.real(), true});
    } else {
      sections.push_back(conjugate_pair(moved));
    }
  }
  return sections;
}

std::vector<Analogue> double_edge(Band band, std::int64_t order, double width, double centre) {
  std::vector<Analogue> sections;
  for (const Complex& pole : prototype_poles(order)) {
    const Complex half = band == Band::bandpass ? width / 2 * pole : width / 2 / pole;
    if (pole.imag() == 0) {
      sections.push_back({-2 * half.real(), centre * centre, false});
    } else {
      const auto [first, second] = band_roots(half, centre);
      sections.push_back(conjugate_pair(first));
      sections.push_back(conjugate_pair(second));
    }
  }
  return sections;
}

/// Bilinear transform of the denominator: s = d / (2 + d). `scale` becomes its leading coefficient.
Section digital_poles(const Analogue& analogue, double& scale) noexcept {
  Section section;
  if (analogue.first_order) {
    scale = 1 + analogue.constant;
    const double pole = 2 * analogue.constant / scale;  // d = -pole, and d = -1 for z = 0
    section.alpha1 = 1 + pole;
    section.alpha2 = pole;
    section.a1 = pole - 1;
    section.a2 = 0;
    return section;
  }
  scale = 1 + analogue.linear + analogue.constant;
  section.alpha1 = (2 * analogue.linear + 4 * analogue.constant) / scale;
  section.alpha2 = 4 * analogue.constant / scale;
  section.a1 = 2 * (analogue.constant - 1) / scale;
  section.a2 = (1 - analogue.linear + analogue.constant) / scale;
  return section;
}

void set_zeros(Section& section, std::array<double, 2> b, std::array<double, 2> beta) noexcept {
  section.b0 = 1;
  section.b1 = b[0];
  section.b2 = b[1];
  section.beta1 = beta[0];
  section.beta2 = beta[1];
}

/// Zeros at z = 1 (low) or z = -1: `low` of the two are at 1.
void set_real_zeros(Section& section, int low) noexcept {
  if (low == 2) {
    set_zeros(section, {-2, 1}, {0, 0});
  } else if (low == 1) {
    set_zeros(section, {0, -1}, {2, 0});
  } else {
    set_zeros(section, {2, 1}, {4, 4});
  }
}

/// A section whose zeros are still to come.
struct Part {
  Section section;
  bool first_order = false;
};

/// Hands out the zeros at 1 and -1 of a band-pass, nearest to the most delicate poles first.
void pair_band_zeros(std::vector<Part>& parts) noexcept {
  auto low_left = static_cast<int>(parts.size());
  int high_left = low_left;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const bool is_low = part->section.a1 < 0;  // the outermost pole has a positive real part
    const int low = is_low ? std::min(2, low_left) : 2 - std::min(2, high_left);
    low_left -= low;
    high_left -= 2 - low;
    set_real_zeros(part->section, low);
  }
}

void set_band_zeros(Band band, std::vector<Part>& parts, double centre) noexcept {
  if (band == Band::bandpass) {
    pair_band_zeros(parts);
    return;
  }
  for (auto& [section, first_order] : parts) {
    if (band == Band::bandstop) {
      const double square = centre * centre;
      const double beta = 4 * square / (1 + square);
      set_zeros(section, {2 * (square - 1) / (square + 1), 1}, {beta, beta});
    } else if (first_order) {
      if (band == Band::lowpass) {
        set_zeros(section, {1, 0}, {3, 2});
      } else {
        set_zeros(section, {-1, 0}, {1, 0});
      }
    } else {
      set_real_zeros(section, band == Band::highpass ? 2 : 0);
    }
  }
}

/// What one section's analogue numerator is worth when its digital one starts with 1.
double numerator_gain(Band band, const Analogue& analogue, double width, double centre) noexcept {
  switch (band) {
    case Band::lowpass:
      return analogue.constant;
    case Band::highpass:
      return 1;
    case Band::bandpass:
      return width;
    case Band::bandstop:
      return 1 + centre * centre;
  }
  return 1;
}

void scale_numerator(Section& section, double gain) noexcept {
  for (double* value : {&section.b0, &section.b1, &section.b2, &section.beta1, &section.beta2}) {
    *value *= gain;
  }
}
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

Sections butterworth(Band band, std::int64_t order, std::span<const double> edges_hz,
                     double rate_hz) {
  const Warped low = warp(edges_hz[0], rate_hz);
  double width = 0;
  double centre = 0;
  std::vector<Analogue> analogue;
  if (band == Band::lowpass || band == Band::highpass) {
    analogue = single_edge(band, order, low.tangent());
  } else {
    const Warped high = warp(edges_hz[1], rate_hz);
    // tan b - tan a without the difference of two near-equal tangents.
    const double angle = std::numbers::pi * (edges_hz[1] - edges_hz[0]) / rate_hz;
    width = std::sin(angle) / (low.cosine * high.cosine);
    centre = std::sqrt(low.tangent() * high.tangent());
    analogue = double_edge(band, order, width, centre);
  }
  std::vector<Part> parts;
  double gain = 1;
  for (const Analogue& each : analogue) {
    double scale = 1;
    parts.push_back({digital_poles(each, scale), each.first_order});
    gain *= numerator_gain(band, each, width, centre) / scale;
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return stability_margin(a.section) > stability_margin(b.section);
  });
  set_band_zeros(band, parts, centre);
  Sections sections;
  for (const Part& part : parts) {
    sections.push_back(part.section);
  }
  scale_numerator(sections.front(), gain);
  return sections;
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
