#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weir/signal/window.h"

namespace weir::signal {
namespace {
constexpr double kPi = std::numbers::pi;
using Values = std::vector<double>;

/// Modified Bessel function of the first kind, order 0: every term is positive, so the series loses
/// nothing. Source: Abramowitz & Stegun 9.6.12.
double bessel_i0(double x) {
  const double quarter = x * x / 4;
  double term = 1;
  double sum = 1;
  for (int k = 1; term > sum * 1e-18; ++k) {
    term *= quarter / (double(k) * k);
    sum += term;
  }
  return sum;
}

double sinc(double x) {
  return x == 0 ? 1 : std::sin(kPi * x) / (kPi * x);
}

/// `value(n, u)` of every index n, and of its place u between the ends, -1 to 1.
template <class Function>
Values each(std::int64_t length, Function value) {
  Values values;
  const double middle = static_cast<double>(length - 1) / 2;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto n = static_cast<double>(i);
    values.push_back(value(n, (n - middle) / middle));
  }
  return values;
}

/// A sum of cosines with its peak in the middle.
Values cosines(std::int64_t length, const Values& weights) {
  return each(length, [&](double, double u) {
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      sum += weights[k] * std::cos(static_cast<double>(k) * kPi * u);
    }
    return sum;
  });
}

double parzen_at(double distance, double length) {
  const double part = std::fabs(distance) / (length / 2);
  return std::fabs(distance) <= (length - 1) / 4 ? 1 - 6 * part * part + 6 * part * part * part
                                                 : 2 * std::pow(1 - part, 3);
}

double tukey_at(double n, double length, double alpha) {
  const double width = std::floor(alpha * (length - 1) / 2);
  const double edge = std::min(n, length - 1 - n);
  return alpha <= 0 || edge > width
             ? 1
             : 0.5 * (1 + std::cos(kPi * (-1 + 2 * edge / alpha / (length - 1))));
}

/// Chebyshev polynomial of this order, sampled; its transform is summed outright.
Values chebwin(std::int64_t length, double attenuation_db) {
  const auto m = static_cast<double>(length);
  const double order = m - 1;
  const double beta = std::cosh(std::acosh(std::pow(10, attenuation_db / 20)) / order);
  Values p;
  for (std::int64_t k = 0; k < length; ++k) {
    const double x = beta * std::cos(kPi * static_cast<double>(k) / m);
    const double sign = x < 0 && length % 2 == 0 ? -1 : 1;
    p.push_back(std::fabs(x) > 1 ? sign * std::cosh(order * std::acosh(std::fabs(x)))
                                 : std::cos(order * std::acos(x)));
  }
  Values w(p.size());
  const std::int64_t twice = 2 * length;
  Values turn;
  for (std::int64_t i = 0; i < twice; ++i) {
    turn.push_back(std::cos(kPi * static_cast<double>(i) / m));
  }
  for (std::int64_t n = 0; n < (length + 1) / 2; ++n) {
    const std::int64_t apart = length - 1 - 2 * n;  // Twice the distance from the middle.
    double sum = 0;
    for (std::int64_t k = 0; k < length; ++k) {
      sum += p[static_cast<std::size_t>(k)] * turn[static_cast<std::size_t>(k * apart % twice)];
    }
    w[static_cast<std::size_t>(n)] = w[static_cast<std::size_t>(length - 1 - n)] = sum;
  }
  const double peak = *std::max_element(w.begin(), w.end());
  std::for_each(w.begin(), w.end(), [&](double& value) { value /= peak; });
  return w;
}

Values taylor(std::int64_t length, double nbar, double sidelobe_db) {
  const auto m = static_cast<double>(length);
  const double a = std::acosh(std::pow(10, sidelobe_db / 20)) / kPi;
  const double s2 = nbar * nbar / (a * a + (nbar - 0.5) * (nbar - 0.5));
  Values weights;
  for (double i = 1; i < nbar; ++i) {
    double product = 0.5;
    for (double j = 1; j < nbar; ++j) {
      product *= 1 - i * i / s2 / (a * a + (j - 0.5) * (j - 0.5));
      product /= i == j ? 1 : 1 - i * i / (j * j);
    }
    weights.push_back(static_cast<std::int64_t>(i) % 2 == 1 ? product : -product);
  }
  const auto at = [&](double n) {
    double sum = 1;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum +=
          2 * weights[i] * std::cos(2 * kPi * static_cast<double>(i + 1) * (n - m / 2 + 0.5) / m);
    }
    return sum;
  };
  const double peak = at((m - 1) / 2);
  return each(length, [&](double n, double) { return at(n) / peak; });
}

/// The tridiagonal matrix that commutes with the concentration in a band of half-width nw / length.
/// Source: Slepian 1978, section 1.
struct SlepianMatrix {
  Values diagonal;
  Values beside;  ///< beside[n] stands between n - 1 and n.
};

SlepianMatrix slepian(std::int64_t length, double nw) {
  SlepianMatrix matrix;
  const auto m = static_cast<double>(length);
  for (double n = 0; n < m; ++n) {
    matrix.diagonal.push_back(std::pow((m - 1 - 2 * n) / 2, 2) * std::cos(2 * kPi * nw / m));
    matrix.beside.push_back(n * (m - n) / 2);
  }
  return matrix;
}

/// Whether an eigenvalue is larger than `value`, by the signs of the pivots of matrix - value.
bool has_larger(const SlepianMatrix& matrix, double value) {
  double pivot = matrix.diagonal[0] - value;
  for (std::size_t n = 1; n < matrix.diagonal.size() && pivot <= 0; ++n) {
    pivot = std::min(pivot, -1e-300);
    pivot = matrix.diagonal[n] - value - matrix.beside[n] * matrix.beside[n] / pivot;
  }
  return pivot > 0;
}

/// The eigenvector of the largest eigenvalue. It grows from both ends to the middle, where the
/// recurrence loses nothing.
Values dpss(std::int64_t length, double nw) {
  if (!(nw < static_cast<double>(length) / 2)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("dpss's nw {} must be below half of the {} values", nw, length));
  }
  const SlepianMatrix matrix = slepian(length, nw);
  double low = 0;
  double high = static_cast<double>(length) * static_cast<double>(length);
  low = -high;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (has_larger(matrix, middle) ? low : high) = middle;
  }
  const auto half = static_cast<std::size_t>((length + 1) / 2);
  Values w(static_cast<std::size_t>(length), 1.0);
  for (std::size_t n = 0; n + 1 < half; ++n) {
    const double before = n == 0 ? 0 : matrix.beside[n] * w[n - 1];
    w[n + 1] = ((high - matrix.diagonal[n]) * w[n] - before) / matrix.beside[n + 1];
  }
  const double peak = w[half - 1];
  // SciPy's norm "approximate": even windows miss their peak.
  const double m = static_cast<double>(length);
  const double scale = length % 2 == 0 ? m * m / (m * m + nw) / peak : 1 / peak;
  for (std::size_t n = 0; n < half; ++n) {
    w[n] *= scale;
    w[w.size() - 1 - n] = w[n];
  }
  return w;
}

Values kaiser_bessel_derived(std::int64_t length, double beta) {
  if (length % 2 != 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("kaiser_bessel_derived has an even number of values, not {}", length));
  }
  Values sums;
  double sum = 0;
  for (const double value :
       each(length / 2 + 1, [&](double, double u) { return kaiser_at(u, beta); })) {
    sums.push_back(sum += value);
  }
  return each(length, [&](double n, double) {
    const auto at = static_cast<std::size_t>(std::min(n, static_cast<double>(length) - 1 - n));
    return std::sqrt(sums[at] / sum);
  });
}

/// Windows without parameters that are sums of cosines.
Values cosine_weights(WindowKind kind) {
  switch (kind) {
    case WindowKind::hamming:
      return {0.54, 0.46};
    case WindowKind::hann:
      return {0.5, 0.5};
    case WindowKind::blackman:
      return {0.42, 0.50, 0.08};
    case WindowKind::nuttall:
      return {0.3635819, 0.4891775, 0.1365995, 0.0106411};
    case WindowKind::blackmanharris:
      return {0.35875, 0.48829, 0.14128, 0.01168};
    case WindowKind::flattop:
      return {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368};
    default:
      return {};
  }
}

/// Windows that are one formula of the place in them.
double value_at(const Window& window, double n, double u, double length) {
  const auto& p = window.parameters;
  const double distance = n - (length - 1) / 2;
  switch (window.kind) {
    case WindowKind::kaiser:
      return kaiser_at(u, p[0]);
    case WindowKind::barthann:
      return 0.62 - 0.48 * std::fabs(u / 2) + 0.38 * std::cos(kPi * u);
    case WindowKind::bartlett:
      return 1 - std::fabs(u);
    case WindowKind::bohman:
      return std::fabs(u) == 1
                 ? 0
                 : (1 - std::fabs(u)) * std::cos(kPi * u) + std::sin(kPi * std::fabs(u)) / kPi;
    case WindowKind::cosine:
      return std::sin(kPi / length * (n + 0.5));
    case WindowKind::exponential:
      return std::exp(-std::fabs(distance) / p[0]);
    case WindowKind::gaussian:
      return std::exp(-distance * distance / (2 * p[0] * p[0]));
    case WindowKind::general_gaussian:
      return std::exp(-0.5 * std::pow(std::fabs(distance / p[1]), 2 * p[0]));
    case WindowKind::lanczos:
      return sinc(u);
    case WindowKind::parzen:
      return parzen_at(distance, length);
    case WindowKind::triang: {
      const bool odd = static_cast<std::int64_t>(length) % 2 == 1;
      return 1 - 2 * std::fabs(distance) / (odd ? length + 1 : length);
    }
    case WindowKind::tukey:
      return tukey_at(n, length, p[0]);
    default:
      return 1;
  }
}
}  // namespace

double kaiser_at(double u, double beta) {
  return std::fabs(u) > 1 ? 0 : bessel_i0(beta * std::sqrt(1 - u * u)) / bessel_i0(beta);
}

std::vector<double> window_values(const Window& window, std::int64_t length) {
  const auto& p = window.parameters;
  if (window.kind == WindowKind::kaiser_bessel_derived) {
    return kaiser_bessel_derived(length, p[0]);
  }
  if (length == 1) {
    return {1.0};
  }
  switch (window.kind) {
    case WindowKind::chebwin:
      return chebwin(length, p[0]);
    case WindowKind::dpss:
      return dpss(length, p[0]);
    case WindowKind::taylor:
      return taylor(length, p[0], p[1]);
    case WindowKind::general_cosine:
      return cosines(length, p);
    case WindowKind::general_hamming:
      return cosines(length, {p[0], 1 - p[0]});
    default:
      break;
  }
  const Values weights = cosine_weights(window.kind);
  return weights.empty() ? each(length,
                                [&](double n, double u) {
                                  return value_at(window, n, u, static_cast<double>(length));
                                })
                         : cosines(length, weights);
}

}  // namespace weir::signal
