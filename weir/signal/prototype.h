#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace weir::signal {

enum class Family { butterworth, chebyshev1, chebyshev2, elliptic, bessel };

/// What a family's prototype is made from.
struct PrototypeShape {
  Family family = Family::butterworth;
  std::int64_t order = 1;
  double ripple_db = 0;       ///< > 0 for chebyshev1 and elliptic.
  double attenuation_db = 0;  ///< > 0 for chebyshev2; > ripple_db for elliptic.
};

/// An analogue low-pass of frequency 1, from which every filter of its family is made.
/// Butterworth: -3 dB at 1. Chebyshev 1 and elliptic: the pass-band ends at 1. Chebyshev 2: the
/// stop-band begins at 1. Bessel: the phase there is half its last (the norm that SciPy has by
/// default, "phase"; far from 1 it falls off as Butterworth does).
struct Prototype {
  /// Those with an imaginary part above 0, then the real one of an odd order.
  std::vector<std::complex<double>> poles;
  /// Each stands for a pair of zeros at +-j times it; the other zeros are at infinity.
  std::vector<double> zeros;
  double level = 1;  ///< Gain at 0.

  std::int64_t order() const noexcept;
};

/// sqrt(10^(db / 10) - 1): what a level `db` down adds to 1 in a squared denominator, as its root.
long double level_excess(double db);

/// Up to this order float64 holds; of Bessel polynomials extended precision finds the roots of no
/// more.
std::int64_t most_order(Family family) noexcept;

/// Designed in extended precision and rounded once; `order` at most `most_order(family)`.
/// Source: Butterworth, Chebyshev: Oppenheim & Schafer, Discrete-Time Signal Processing, 3rd ed.,
/// appendix B; elliptic: Orfanidis, Lecture notes on elliptic filter design, 2006, by the nome of
/// the degree equation; Bessel: Thomson, Delay networks having maximally flat frequency
/// characteristics, 1949.
Prototype prototype(const PrototypeShape& shape);

}  // namespace weir::signal
