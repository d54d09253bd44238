#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::signal {

/// One second-order section, scaled so that a0 = 1, in two forms.
///
/// In z: H = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2). In d = z - 1:
/// H = (b0 d^2 + beta1 d + beta2) / (d^2 + alpha1 d + alpha2). A pole near z = 1 loses all its
/// digits in a1 and a2 and none in alpha1 and alpha2, so designs fill the second form without
/// cancellation. A first-order section has b2 = a2 = 0 exactly.
struct Section {
  double b0 = 1;
  double b1 = 0;
  double b2 = 0;
  double a1 = 0;
  double a2 = 0;
  double beta1 = 2;   ///< 2 b0 + b1
  double beta2 = 1;   ///< b0 + b1 + b2
  double alpha1 = 2;  ///< 2 + a1
  double alpha2 = 1;  ///< 1 + a1 + a2

  /// The section of b0 b1 b2 a0 a1 a2; a0 must not be zero.
  static Section from_row(std::span<const double, 6> row);
};

using Sections = std::vector<Section>;

/// How far the section's outermost pole lies inside the unit circle; not above 0 when unstable.
double stability_margin(const Section& section) noexcept;
/// The smallest margin of the cascade; 1 when it is empty.
double stability_margin(std::span<const Section> sections) noexcept;

/// H at `frequency_hz`.
std::complex<double> response(std::span<const Section> sections, double frequency_hz,
                              double rate_hz) noexcept;

/// The output for 1, 0, 0, …
std::vector<double> impulse_response(std::span<const Section> sections, std::int64_t frames);

/// The state of one section in delta form: y = b0 x + s1; s1 += beta1 x - alpha1 y + s2;
/// s2 += beta2 x - alpha2 y. Then s1 = z1 and s2 = z1 + z2 of the transposed direct form II.
struct DeltaState {
  double s1 = 0;
  double s2 = 0;
};

/// The states a cascade settles in when its input has been 1 for ever. Every section must be
/// stable.
/// Source: Gustafsson, Determining the initial states in forward-backward filtering, 1996.
std::vector<DeltaState> steady_state(std::span<const Section> sections);

/// How far SciPy's `sosfiltfilt` extends a signal at each end by default.
std::int64_t default_padlen(std::span<const Section> sections) noexcept;

}  // namespace weir::signal
