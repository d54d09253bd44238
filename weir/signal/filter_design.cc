#include "weir/signal/filter_design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

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

/// A filter between the prototype and its digital form.
struct AnalogueFilter {
  std::vector<Analogue> poles;
  std::vector<double> zeros;  ///< Pairs at +-j times these.
  std::int64_t at_zero = 0;
  std::int64_t at_infinity = 0;
  double gain = 1;  ///< Of the s^n / s^n form.
};

AnalogueFilter single_edge(const Prototype& prototype, Band band, double edge) {
  const bool low = band == Band::lowpass;
  AnalogueFilter filter;
  filter.gain = prototype.level;
  for (const Complex& pole : prototype.poles) {
    const Complex moved = low ? edge * pole : edge / std::conj(pole);
    filter.poles.push_back(pole.imag() == 0 ? Analogue{0, -moved.real(), true}
                                            : conjugate_pair(moved));
    if (low) {
      filter.gain *= filter.poles.back().constant;
    }
  }
  for (const double zero : prototype.zeros) {
    filter.zeros.push_back(low ? edge * zero : edge / zero);
    if (low) {
      filter.gain /= filter.zeros.back() * filter.zeros.back();
    }
  }
  const auto others = prototype.order() - 2 * static_cast<std::int64_t>(prototype.zeros.size());
  (low ? filter.at_infinity : filter.at_zero) = others;
  return filter;
}

AnalogueFilter double_edge(const Prototype& prototype, Band band, double width, double centre) {
  const bool pass = band == Band::bandpass;
  AnalogueFilter filter;
  filter.gain = prototype.level;
  for (const Complex& pole : prototype.poles) {
    const Complex half = pass ? width / 2 * pole : width / 2 / std::conj(pole);
    if (pole.imag() == 0) {
      filter.poles.push_back({-2 * half.real(), centre * centre, false});
      filter.gain *= pass ? -2 * half.real() : 1;
    } else {
      const auto [first, second] = band_roots(half, centre);
      filter.poles.push_back(conjugate_pair(first));
      filter.poles.push_back(conjugate_pair(second));
      filter.gain *= pass ? 4 * std::norm(half) : 1;
    }
  }
  for (const double zero : prototype.zeros) {
    const double half = pass ? width / 2 * zero : width / 2 / zero;
    const double above = half + std::hypot(half, centre);
    filter.zeros.push_back(above);
    filter.zeros.push_back(centre * centre / above);
    filter.gain /= pass ? 4 * half * half : 1;
  }
  const auto others = prototype.order() - 2 * static_cast<std::int64_t>(prototype.zeros.size());
  if (pass) {
    filter.at_zero = filter.at_infinity = others;
  } else {
    filter.zeros.insert(filter.zeros.end(), static_cast<std::size_t>(others), centre);
  }
  return filter;
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

/// A section whose zeros are still to come.
struct Part {
  Section section;
  bool first_order = false;
};

/// The upper, or the outermost real, pole as d = z - 1.
Complex delicate_pole(const Section& section) {
  const double half = section.alpha1 / 2;
  const double discriminant = half * half - section.alpha2;
  if (discriminant < 0) {
    return {-half, std::sqrt(-discriminant)};
  }
  const double root = std::sqrt(discriminant);
  const double far = half >= 0 ? -half - root : -half + root;
  const double near = far == 0 ? 0 : section.alpha2 / far;
  const auto margin = [](double d) { return d > -1 ? -d : 2 + d; };
  return margin(far) < margin(near) ? far : near;
}

/// Zeros on the unit circle that no section has yet.
class ZeroStore {
 public:
  /// `first_orders` sections will need one real zero each.
  ZeroStore(const AnalogueFilter& filter, std::int64_t first_orders)
      : low_(filter.at_zero), high_(filter.at_infinity), kept_(first_orders) {
    for (const double zero : filter.zeros) {
      const double square = zero * zero;
      pairs_.push_back(4 * square / (1 + square));
    }
  }

  void give_one(Section& section) {
    if (low_ > 0) {
      --low_;
      set_zeros(section, {-1, 0}, {1, 0});
    } else {
      --high_;
      set_zeros(section, {1, 0}, {3, 2});
    }
    --kept_;
  }

  /// The two nearest to the section's poles.
  void give_two(Section& section) {
    const Complex pole = delicate_pole(section);
    const bool has_real = low_ + high_ - kept_ >= 2;
    const double to_low = has_real && low_ > 0 ? std::abs(pole) : kFar;
    const double to_high = has_real && high_ > 0 ? std::abs(pole + 2.0) : kFar;
    const auto nearest = std::min_element(pairs_.begin(), pairs_.end(), [&](double a, double b) {
      return distance(pole, a) < distance(pole, b);
    });
    if (nearest != pairs_.end() && distance(pole, *nearest) < std::min(to_low, to_high)) {
      set_zeros(section, {*nearest - 2, 1}, {*nearest, *nearest});
      pairs_.erase(nearest);
      return;
    }
    const std::int64_t low =
        to_low < to_high ? std::min<std::int64_t>(2, low_) : 2 - std::min<std::int64_t>(2, high_);
    low_ -= low;
    high_ -= 2 - low;
    if (low == 2) {
      set_zeros(section, {-2, 1}, {0, 0});
    } else if (low == 1) {
      set_zeros(section, {0, -1}, {2, 0});
    } else {
      set_zeros(section, {2, 1}, {4, 4});
    }
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  /// From a pole to the upper zero of a pair, both as d.
  static double distance(Complex pole, double pair) {
    return std::abs(pole - Complex(-pair / 2, std::sqrt(pair * (1 - pair / 4))));
  }

  std::vector<double> pairs_;  ///< beta1 = beta2 of z^2 + b1 z + 1.
  std::int64_t low_;           ///< At z = 1.
  std::int64_t high_;          ///< At z = -1.
  std::int64_t kept_;
};

void scale_numerator(Section& section, double gain) noexcept {
  for (double* value : {&section.b0, &section.b1, &section.b2, &section.beta1, &section.beta2}) {
    *value *= gain;
  }
}

Sections digital(const AnalogueFilter& filter) {
  std::vector<Part> parts;
  double gain = filter.gain;
  for (const Analogue& each : filter.poles) {
    double scale = 1;
    parts.push_back({digital_poles(each, scale), each.first_order});
    gain /= scale;
  }
  for (const double zero : filter.zeros) {
    gain *= 1 + zero * zero;
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return stability_margin(a.section) > stability_margin(b.section);
  });
  ZeroStore zeros(filter, std::count_if(parts.begin(), parts.end(),
                                        [](const Part& part) { return part.first_order; }));
  std::for_each(parts.rbegin(), parts.rend(), [&](Part& part) {
    part.first_order ? zeros.give_one(part.section) : zeros.give_two(part.section);
  });
  Sections sections;
  for (const Part& part : parts) {
    sections.push_back(part.section);
  }
  scale_numerator(sections.front(), gain);
  return sections;
}
}  // namespace

Sections digital_filter(const Prototype& prototype, Band band, std::span<const double> edges_hz,
                        double rate_hz) {
  const Warped low = warp(edges_hz[0], rate_hz);
  if (band == Band::lowpass || band == Band::highpass) {
    return digital(single_edge(prototype, band, low.tangent()));
  }
  const Warped high = warp(edges_hz[1], rate_hz);
  // tan b - tan a without the difference of two near-equal tangents.
  const double angle = std::numbers::pi * (edges_hz[1] - edges_hz[0]) / rate_hz;
  const double width = std::sin(angle) / (low.cosine * high.cosine);
  const double centre = std::sqrt(low.tangent() * high.tangent());
  return digital(double_edge(prototype, band, width, centre));
}

Sections butterworth(Band band, std::int64_t order, std::span<const double> edges_hz,
                     double rate_hz) {
  return digital_filter(prototype({.family = Family::butterworth, .order = order}), band, edges_hz,
                        rate_hz);
}

}  // namespace weir::signal
