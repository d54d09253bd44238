#include "weir/signal/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "weir/core/text.h"

namespace weir::signal {
namespace {
/// A parameter of a window.
struct Limits {
  std::string_view name;
  double least;
  double most;
  double fallback;  ///< NaN: must be given.
};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMost = 1e6;

/// How a window is written.
struct Named {
  std::string_view name;
  WindowKind kind;
  std::vector<Limits> parameters = {};
  bool any_number = false;  ///< Of the one parameter there is.
};

const std::vector<Named>& windows() {
  static const std::vector<Named> kAll{
      {"hamming", WindowKind::hamming},
      {"hann", WindowKind::hann},
      {"blackman", WindowKind::blackman},
      {"boxcar", WindowKind::boxcar},
      {"kaiser", WindowKind::kaiser, {{"beta", 0, 500, kNone}}},  // I0 stays far from overflow.
      {"barthann", WindowKind::barthann},
      {"bartlett", WindowKind::bartlett},
      {"blackmanharris", WindowKind::blackmanharris},
      {"bohman", WindowKind::bohman},
      {"chebwin", WindowKind::chebwin, {{"attenuation_db", 1, 500, kNone}}},
      {"cosine", WindowKind::cosine},
      {"dpss", WindowKind::dpss, {{"nw", 0.01, 100, kNone}}},
      {"exponential", WindowKind::exponential, {{"tau", 1e-3, kMost, 1}}},
      {"flattop", WindowKind::flattop},
      {"gaussian", WindowKind::gaussian, {{"std", 1e-3, kMost, kNone}}},
      {"general_cosine", WindowKind::general_cosine, {{"coefficient", -kMost, kMost, kNone}}, true},
      {"general_gaussian",
       WindowKind::general_gaussian,
       {{"p", 0, 1000, kNone}, {"sig", 1e-3, kMost, kNone}}},
      {"general_hamming", WindowKind::general_hamming, {{"alpha", 0, 1, kNone}}},
      {"kaiser_bessel_derived", WindowKind::kaiser_bessel_derived, {{"beta", 0, 500, kNone}}},
      {"lanczos", WindowKind::lanczos},
      {"nuttall", WindowKind::nuttall},
      {"parzen", WindowKind::parzen},
      {"taylor", WindowKind::taylor, {{"nbar", 1, 100, 4}, {"sll", 0, 200, 30}}},
      {"triang", WindowKind::triang},
      {"tukey", WindowKind::tukey, {{"alpha", 0, 1, 0.5}}}};
  return kAll;
}

double checked(const Named& window, const Limits& limits, double value) {
  if (!(value >= limits.least && value <= limits.most)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}'s {} {} must lie between {} and {}", window.name, limits.name,
                            value, limits.least, limits.most));
  }
  return value;
}

std::vector<double> parameters_of(const Named& window, const std::vector<std::string>& words) {
  std::vector<double> parameters;
  const std::size_t given = words.size() - 1;
  const std::size_t most = window.any_number ? given : window.parameters.size();
  for (std::size_t i = 0; i < std::max(given, most); ++i) {
    if (i >= most) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("\"{}\" takes {} parameters, not {}", window.name, most, given));
    }
    const Limits& limits = window.parameters[window.any_number ? 0 : i];
    if (i >= given && std::isnan(limits.fallback)) {
      throw Error(ErrorCode::invalid_spec, fmt::format("{} needs its {}, such as \"{} 5\"",
                                                       window.name, limits.name, window.name));
    }
    parameters.push_back(
        checked(window, limits, i < given ? parse_number(words[i + 1]) : limits.fallback));
  }
  if (window.any_number && parameters.empty()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} needs its coefficients", window.name));
  }
  return parameters;
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
  std::vector<std::string> words;
  for (const auto& word : split(std::string(trimmed(text)), ' ')) {
    if (!word.empty()) {
      words.emplace_back(word);
    }
  }
  std::vector<std::string_view> names;
  for (const Named& window : windows()) {
    if (!words.empty() && words[0] == window.name) {
      return {window.kind, parameters_of(window, words)};
    }
    names.push_back(window.name);
  }
  throw Error(ErrorCode::invalid_spec,
              fmt::format("\"{}\" is not one of: {} (parameters follow, such as \"kaiser 5.0\")",
                          text, fmt::join(names, ", ")));
}

std::string Window::text() const {
  for (const Named& window : windows()) {
    if (window.kind == kind) {
      return parameters.empty() ? std::string(window.name)
                                : fmt::format("{} {}", window.name, fmt::join(parameters, " "));
    }
  }
  return {};
}

double kaiser_beta(double attenuation_db) noexcept {
  if (attenuation_db > 50) {
    return 0.1102 * (attenuation_db - 8.7);
  }
  return attenuation_db > 21
             ? 0.5842 * std::pow(attenuation_db - 21, 0.4) + 0.07886 * (attenuation_db - 21)
             : 0;
}

std::int64_t kaiser_length(double attenuation_db, double transition) noexcept {
  return static_cast<std::int64_t>(
      std::ceil((attenuation_db - 7.95) / 2.285 / (std::numbers::pi * transition) + 1));
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
