#include "weir/signal/prototype.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weir/signal/elliptic_functions.h"

namespace weir::signal {
namespace {
using Number = long double;
using Complex = std::complex<Number>;
constexpr Number kPi = std::numbers::pi_v<Number>;

std::complex<double> rounded(Complex value) {
  return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
}

double gain_of(double db) {
  return static_cast<double>(std::pow(10.0L, -static_cast<Number>(db) / 20));
}

/// Unit poles with an imaginary part above 0, from the one nearest the imaginary axis, then the
/// real one.
std::vector<Complex> butterworth_poles(std::int64_t order) {
  std::vector<Complex> poles;
  for (std::int64_t k = 0; k < order / 2; ++k) {
    const Number angle = kPi * static_cast<Number>(2 * k + 1) / static_cast<Number>(2 * order);
    poles.emplace_back(-std::sin(angle), std::cos(angle));
  }
  if (order % 2 == 1) {
    poles.emplace_back(-1.0L, 0.0L);
  }
  return poles;
}

/// Unit poles moved from the circle onto an ellipse.
std::vector<Complex> ellipse_poles(std::int64_t order, Number narrowness) {
  std::vector<Complex> poles = butterworth_poles(order);
  for (Complex& pole : poles) {
    pole = {pole.real() * std::sinh(narrowness), pole.imag() * std::cosh(narrowness)};
  }
  return poles;
}

void take(Prototype& made, const std::vector<Complex>& poles) {
  for (const Complex& pole : poles) {
    made.poles.push_back(rounded(pole));
  }
}

Prototype chebyshev1(const PrototypeShape& shape) {
  Prototype made;
  const auto order = static_cast<Number>(shape.order);
  take(made, ellipse_poles(shape.order, std::asinh(1 / level_excess(shape.ripple_db)) / order));
  made.level = shape.order % 2 == 0 ? gain_of(shape.ripple_db) : 1;
  return made;
}

Prototype chebyshev2(const PrototypeShape& shape) {
  Prototype made;
  const auto order = static_cast<Number>(shape.order);
  auto poles = ellipse_poles(shape.order, std::asinh(level_excess(shape.attenuation_db)) / order);
  for (Complex& pole : poles) {
    pole = Number{1} / std::conj(pole);
  }
  take(made, poles);
  for (std::int64_t k = 0; k < shape.order / 2; ++k) {
    made.zeros.push_back(
        static_cast<double>(1 / std::cos(kPi * static_cast<Number>(2 * k + 1) / (2 * order))));
  }
  return made;
}

Prototype elliptic(const PrototypeShape& shape) {
  Prototype made;
  const auto order = static_cast<Number>(shape.order);
  const Number ripple = level_excess(shape.ripple_db);
  const Modulus selectivity = Modulus::from(ripple / level_excess(shape.attenuation_db));
  const Modulus modulus = modulus_of_period_ratio(period_ratio(selectivity) / order);
  const Number quarter = complete_elliptic(modulus);
  const Number shift = quarter / order * inverse_sc(1 / ripple, selectivity.swapped()) /
                       complete_elliptic(selectivity);
  const Jacobi across = jacobi(shift, modulus.swapped());
  std::vector<Complex> poles;
  for (std::int64_t j = shape.order - 1; j >= 0; j -= 2) {
    const Jacobi along = jacobi(quarter * static_cast<Number>(j) / order, modulus);
    const Number beside = modulus.k * along.sn * across.sn;
    const Number scale = across.cn * across.cn + beside * beside;
    poles.emplace_back(-along.cn * along.dn * across.sn * across.cn / scale,
                       along.sn * across.dn / scale);
    if (j > 0) {
      made.zeros.push_back(static_cast<double>(1 / (modulus.k * along.sn)));
    }
  }
  take(made, poles);
  made.level = shape.order % 2 == 0 ? gain_of(shape.ripple_db) : 1;
  return made;
}

struct Polynomial {
  Complex value;
  Complex slope;
};

/// The reverse Bessel polynomial: theta_n = (2n - 1) theta_(n-1) + s^2 theta_(n-2).
Polynomial reverse_bessel(std::int64_t order, Complex s) {
  Polynomial before{1, 0};
  Polynomial now{Number{1} + s, 1};
  for (std::int64_t n = 2; n <= order; ++n) {
    const auto factor = static_cast<Number>(2 * n - 1);
    const Polynomial next{factor * now.value + s * s * before.value,
                          factor * now.slope + Number{2} * s * before.value + s * s * before.slope};
    before = now;
    now = next;
  }
  return now;
}

/// All roots at once; each is pushed away from the others. Source: Aberth, Iteration methods for
/// finding all zeros of a polynomial simultaneously, 1973.
std::vector<Complex> bessel_roots(std::int64_t order, Number radius) {
  std::vector<Complex> roots;
  for (const Complex& pole : butterworth_poles(order)) {
    roots.push_back(radius * pole);
    if (pole.imag() > 0) {
      roots.push_back(radius * std::conj(pole));
    }
  }
  constexpr int kMostRounds = 200;
  Number largest = 1;
  for (int round = 0; round < kMostRounds && largest > 1e-18L; ++round) {
    largest = 0;
    for (Complex& root : roots) {
      const auto [value, slope] = reverse_bessel(order, root);
      const Complex newton = value / slope;
      Complex push = 0;
      for (const Complex& other : roots) {
        push += &other == &root ? Complex(0) : Number{1} / (root - other);
      }
      const Complex step = newton / (Number{1} - newton * push);
      root -= step;
      largest = std::max(largest, std::abs(step) / std::abs(root));
    }
  }
  return roots;
}

Prototype bessel(const PrototypeShape& shape) {
  Number log_constant = 0;  // of theta(0) = 1 * 3 * 5 …
  for (std::int64_t n = 1; n <= shape.order; ++n) {
    log_constant += std::log(static_cast<Number>(2 * n - 1));
  }
  const Number radius = std::exp(log_constant / static_cast<Number>(shape.order));
  std::vector<Complex> poles;
  Complex real = 0;
  for (const Complex& root : bessel_roots(shape.order, radius)) {
    if (shape.order % 2 == 1 && std::abs(root.imag()) < 1e-9L) {
      real = {root.real() / radius, 0};
    } else if (root.imag() > 0) {
      poles.push_back(root / radius);
    }
  }
  if (shape.order % 2 == 1) {
    poles.push_back(real);
  }
  Prototype made;
  take(made, poles);
  return made;
}
}  // namespace

std::int64_t Prototype::order() const noexcept {
  const auto pairs = static_cast<std::int64_t>(2 * poles.size());
  return !poles.empty() && poles.back().imag() == 0 ? pairs - 1 : pairs;
}

long double level_excess(double db) {
  return std::sqrt(std::expm1(std::numbers::ln10_v<Number> / 10 * db));
}

std::int64_t most_order(Family family) noexcept {
  return family == Family::bessel ? 16 : 32;
}

Prototype prototype(const PrototypeShape& shape) {
  switch (shape.family) {
    case Family::chebyshev1:
      return chebyshev1(shape);
    case Family::chebyshev2:
      return chebyshev2(shape);
    case Family::elliptic:
      return elliptic(shape);
    case Family::bessel:
      return bessel(shape);
    case Family::butterworth:
      break;
  }
  Prototype made;
  take(made, butterworth_poles(shape.order));
  return made;
}

}  // namespace weir::signal
