#pragma once

namespace weir::signal {

/// A modulus k with its complement sqrt(1 - k^2), which keeps the digits that 1 - k^2 would lose.
/// Extended precision, where the machine has it, so that designs may round once.
struct Modulus {
  long double k = 0;
  long double complement = 1;

  /// From a small k or a small complement.
  static Modulus from(long double k);
  Modulus swapped() const noexcept { return {complement, k}; }
};

/// K(k), the complete elliptic integral of the first kind; k < 1.
/// Source: Abramowitz & Stegun 17.6, the arithmetic-geometric mean.
long double complete_elliptic(const Modulus& modulus);

/// K(complement) / K(k).
long double period_ratio(const Modulus& modulus);

/// The u for which sc(u, k) = sn / cn is `value`.
/// Source: Carlson, Computing elliptic integrals by duplication, 1979 (the integral R_F).
long double inverse_sc(long double value, const Modulus& modulus);

/// sn, cn and dn of a real argument.
struct Jacobi {
  long double sn = 0;
  long double cn = 1;
  long double dn = 1;
};
/// For 0 <= u <= K(k). Source: Abramowitz & Stegun 16.4.
Jacobi jacobi(long double u, const Modulus& modulus);

/// The modulus whose period ratio is `ratio`.
/// Source: Abramowitz & Stegun 16.38, theta functions of the nome exp(-pi ratio).
Modulus modulus_of_period_ratio(long double ratio);

}  // namespace weir::signal
