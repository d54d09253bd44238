#include "weir/signal/window.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "weir/core/text.h"

namespace weir::signal {
namespace {
constexpr std::array<std::string_view, 5> kNames{"hamming", "hann", "blackman", "boxcar", "kaiser"};
constexpr double kMostBeta = 500;  // I0 stays far from overflow.

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

std::array<double, 3> cosine_terms(WindowKind kind) {
  switch (kind) {
    case WindowKind::hamming:
      return {0.54, 0.46, 0};
    case WindowKind::hann:
      return {0.5, 0.5, 0};
    case WindowKind::blackman:
      return {0.42, 0.50, 0.08};
    default:
      return {1, 0, 0};
  }
}

double sinc(double x) {
  const double angle = std::numbers::pi * x;
  return x == 0 ? 1 : std::sin(angle) / angle;
}

/// Pass bands as pairs of edges, fractions of Nyquist.
std::vector<std::array<double, 2>> pass_bands(FirBand band, const std::vector<double>& edges) {
  switch (band) {
    case FirBand::lowpass:
      return {{0, edges[0]}};
    case FirBand::highpass:
      return {{edges[0], 1}};
    case FirBand::bandpass:
      return {{edges[0], edges[1]}};
    case FirBand::bandstop:
      return {{0, edges[0]}, {edges[1], 1}};
  }
  return {};
}
}  // namespace

Window Window::from_text(const std::string& text) {
  const auto words = split(std::string(trimmed(text)), ' ');
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto kind = static_cast<WindowKind>(i);
    if (words.empty() || words[0] != kNames[i]) {
      continue;
    }
    if (kind != WindowKind::kaiser && words.size() == 1) {
      return {kind, 0};
    }
    if (kind == WindowKind::kaiser && words.size() == 2) {
      const double beta = parse_number(words[1]);
      if (!(beta >= 0 && beta <= kMostBeta)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("kaiser's beta {} must lie between 0 and {}", beta, kMostBeta));
      }
      return {kind, beta};
    }
  }
  throw Error(
      ErrorCode::invalid_spec,
      fmt::format("\"{}\" is not one of: hamming, hann, blackman, boxcar, kaiser BETA (such "
                  "as \"kaiser 5.0\")",
                  text));
}

std::string Window::text() const {
  const auto word = kNames[static_cast<std::size_t>(kind)];
  return kind == WindowKind::kaiser ? fmt::format("{} {}", word, beta) : std::string(word);
}

double kaiser_at(double u, double beta) {
  return std::fabs(u) > 1 ? 0 : bessel_i0(beta * std::sqrt(1 - u * u)) / bessel_i0(beta);
}

std::vector<double> window_values(const Window& window, std::int64_t length) {
  std::vector<double> values(static_cast<std::size_t>(length), 1.0);
  const double middle = static_cast<double>(length - 1) / 2;
  const auto terms = cosine_terms(window.kind);
  for (std::int64_t i = 0; i < length && length > 1; ++i) {
    const double u = (static_cast<double>(i) - middle) / middle;
    const double angle = std::numbers::pi * u;
    values[static_cast<std::size_t>(i)] =
        window.kind == WindowKind::kaiser
            ? kaiser_at(u, window.beta)
            : terms[0] + terms[1] * std::cos(angle) + terms[2] * std::cos(2 * angle);
  }
  return values;
}

std::vector<double> windowed_sinc(FirBand band, const std::vector<double>& edges,
                                  std::int64_t length, const Window& window) {
  const auto bands = pass_bands(band, edges);
  std::vector<double> taps = window_values(window, length);
  const double middle = static_cast<double>(length - 1) / 2;
  const auto [left, right] = bands.front();
  const double reference = left == 0 ? 0 : (right == 1 ? 1 : (left + right) / 2);
  double gain = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    const double at = static_cast<double>(i) - middle;
    double ideal = 0;
    for (const auto& [low, high] : bands) {
      ideal += high * sinc(high * at) - low * sinc(low * at);
    }
    double& tap = taps[static_cast<std::size_t>(i)];
    tap *= ideal;
    gain += tap * std::cos(std::numbers::pi * at * reference);
  }
  for (double& tap : taps) {
    tap /= gain;
  }
  return taps;
}

}  // namespace weir::signal
