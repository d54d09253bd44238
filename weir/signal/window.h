#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/op/schema.h"

namespace weir::signal {

enum class WindowKind { hamming, hann, blackman, boxcar, kaiser };

/// The taper of a filter design. As text: "hamming", or "kaiser 5" with its beta.
struct Window {
  WindowKind kind = WindowKind::hamming;
  double beta = 0;  ///< Of `kaiser`.

  /// Errors: `invalid_spec` naming the windows there are.
  static Window from_text(const std::string& text);
  std::string text() const;
  friend bool operator==(const Window&, const Window&) = default;
};

/// The symmetric window, as scipy.signal.get_window(…, fftbins=False).
/// Range: `length` >= 1.
/// Source: Harris 1978 (cosine windows); Kaiser 1974, I0(beta sqrt(1 - u^2)) / I0(beta).
std::vector<double> window_values(const Window& window, std::int64_t length);

/// Kaiser's window as a function of the place between its ends, -1 <= u <= 1; 0 outside.
/// Source: Kaiser 1974, I0(beta sqrt(1 - u^2)) / I0(beta).
double kaiser_at(double u, double beta);

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
