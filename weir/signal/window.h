#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/op/schema.h"

namespace weir::signal {

/// The windows of scipy.signal.get_window, by its names.
enum class WindowKind {
  hamming,
  hann,
  blackman,
  boxcar,
  kaiser,
  barthann,
  bartlett,
  blackmanharris,
  bohman,
  chebwin,
  cosine,
  dpss,
  exponential,
  flattop,
  gaussian,
  general_cosine,
  general_gaussian,
  general_hamming,
  kaiser_bessel_derived,
  lanczos,
  nuttall,
  parzen,
  taylor,
  triang,
  tukey
};

/// The taper of a filter design. As text: its name and its parameters in SciPy's order, such as
/// "hamming", "kaiser 5" or "general_gaussian 1.5 7".
struct Window {
  WindowKind kind = WindowKind::hamming;
  std::vector<double> parameters = {};  ///< All of them, defaults too.

  /// Errors: `invalid_spec` naming the windows there are, or the parameter that is wrong.
  static Window from_text(const std::string& text);
  std::string text() const;
  friend bool operator==(const Window&, const Window&) = default;
};

/// The symmetric window, as scipy.signal.get_window(…, fftbins=False).
/// Range:  `length` >= 1.
/// Errors: `invalid_spec` where the window is not defined for the length.
/// Source: Harris 1978 (most); Kaiser 1974; Slepian 1978 (dpss); Dolph 1946 (chebwin); Taylor 1955.
std::vector<double> window_values(const Window& window, std::int64_t length);

/// Kaiser's window as a function of the place between its ends, -1 <= u <= 1; 0 outside.
/// Source: Kaiser 1974, I0(beta sqrt(1 - u^2)) / I0(beta).
double kaiser_at(double u, double beta);

/// Kaiser's beta for an attenuation, as scipy.signal.kaiser_beta.
/// Source: Kaiser 1974; Oppenheim & Schafer, 3rd ed., 7.5.3.
double kaiser_beta(double attenuation_db) noexcept;

/// Taps that an attenuation over a transition needs, as scipy.signal.kaiserord.
/// Units:  the transition as a fraction of Nyquist.
std::int64_t kaiser_length(double attenuation_db, double transition) noexcept;

enum class FirBand { lowpass, highpass, bandpass, bandstop };

/// Windowed-sinc filter of odd length, scaled to gain 1 at 0, Nyquist or the middle of the pass
/// band, as scipy.signal.firwin.
/// Units:  edges as fractions of Nyquist, rising, one (lowpass, highpass) or two.
/// Range:  0 < edge < 1; checked by the caller, who knows the field's name.
/// Source: Oppenheim & Schafer, 3rd ed., 7.5.
std::vector<double> windowed_sinc(FirBand band, const std::vector<double>& edges,
                                  std::int64_t length, const Window& window);

}  // namespace weir::signal

namespace weir::op {
template <>
struct Codec<signal::Window> {
  static std::string type() { return "string"; }
  static std::vector<std::string> choices() { return {}; }
  static signal::Window read(const Value& value) {
    return signal::Window::from_text(value.as_string());
  }
  static Value write(const signal::Window& window) { return window.text(); }
};
}  // namespace weir::op
