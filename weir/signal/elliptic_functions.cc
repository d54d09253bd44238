#include "weir/signal/elliptic_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weir::signal {
namespace {
using Number = long double;
constexpr Number kPi = std::numbers::pi_v<Number>;

Number carlson_rf(Number x, Number y, Number z) {
  constexpr Number kClose = 3e-4L;  // the series after it is exact to the sixth power of this
  for (;;) {
    const Number mean = (x + y + z) / 3;
    const Number dx = 1 - x / mean;
    const Number dy = 1 - y / mean;
    const Number dz = 1 - z / mean;
    if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < kClose) {
      const Number e2 = dx * dy - dz * dz;
      const Number e3 = dx * dy * dz;
      return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(mean);
    }
    const Number rx = std::sqrt(x);
    const Number ry = std::sqrt(y);
    const Number rz = std::sqrt(z);
    const Number lambda = rx * ry + rx * rz + ry * rz;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
}
}  // namespace

Modulus Modulus::from(long double k) {
  return {k, std::sqrt((1 - k) * (1 + k))};
}

long double complete_elliptic(const Modulus& modulus) {
  Number a = 1;
  Number b = modulus.complement;
  for (int step = 0; step < 64 && std::abs(a - b) > a * 1e-19L; ++step) {
    const Number mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return kPi / (2 * a);
}

long double period_ratio(const Modulus& modulus) {
  return complete_elliptic(modulus.swapped()) / complete_elliptic(modulus);
}

long double inverse_sc(long double value, const Modulus& modulus) {
  const Number scale = 1 / std::hypot(1.0L, value);
  const Number sine = value * scale;
  const Number beside = modulus.complement * sine;
  return sine * carlson_rf(scale * scale, scale * scale + beside * beside, 1);
}

Jacobi jacobi(long double u, const Modulus& modulus) {
  constexpr std::size_t kMost = 20;
  std::array<Number, kMost> a{1};
  std::array<Number, kMost> c{modulus.k};
  Number b = modulus.complement;
  std::size_t n = 0;
  while (n + 1 < kMost && c[n] > a[n] * 1e-19L) {
    a[n + 1] = (a[n] + b) / 2;
    // (a - b) / 2, from c^2 = a^2 - b^2 = (a - b) 2 a': without the difference.
    c[n + 1] = c[n] * c[n] / (4 * a[n + 1]);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  Number angle = std::ldexp(a[n] * u, static_cast<int>(n));
  for (; n > 0; --n) {
    angle = (angle + std::asin(std::min<Number>(1, c[n] / a[n] * std::sin(angle)))) / 2;
  }
  Jacobi result{std::sin(angle), std::cos(angle), 1};
  result.dn = std::hypot(modulus.complement, modulus.k * result.cn);
  return result;
}

Modulus modulus_of_period_ratio(long double ratio) {
  if (ratio < 1) {
    return modulus_of_period_ratio(1 / ratio).swapped();
  }
  const Number nome = std::exp(-kPi * ratio);
  Number above = 0;  // theta_2 / (2 q^(1/4))
  Number plain = 0;  // (theta_3 - 1) / 2 …
  Number signs = 0;  // … and the same of theta_4
  for (int n = 5; n >= 0; --n) {
    above += std::pow(nome, n * (n + 1));
    const Number term = std::pow(nome, (n + 1) * (n + 1));
    plain += term;
    signs += n % 2 == 0 ? -term : term;
  }
  const Number theta_3 = 1 + 2 * plain;
  const Number k = above / theta_3;
  const Number complement = (1 + 2 * signs) / theta_3;
  return {4 * std::sqrt(nome) * k * k, complement * complement};
}

}  // namespace weir::signal
