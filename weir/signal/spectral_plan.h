#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/stream.h"
#include "weir/op/schema.h"
#include "weir/signal/transform_plan.h"
#include "weir/signal/window.h"

namespace weir::signal {

/// What is taken off each window before its transform.
enum class SpectralDetrend { constant, linear, none };
/// Power per Hz, or the power of a sine at its own frequency.
enum class SpectralScaling { density, spectrum };

std::span<const op::EnumName<SpectralDetrend>> names_of(SpectralDetrend);
std::span<const op::EnumName<SpectralScaling>> names_of(SpectralScaling);

/// How a recording is cut into windows: the fields that the operators of spectra share, with
/// SciPy's names.
struct SpectralWindows {
  Window window{.kind = WindowKind::hann};
  std::optional<std::int64_t> nperseg;
  std::optional<double> segment_s;
  std::optional<std::int64_t> noverlap;
  std::optional<std::int64_t> nfft;
  SpectralDetrend detrend = SpectralDetrend::constant;
};

/// The windows of a stream and their transforms.
struct SpectralPlan {
  std::int64_t nperseg = 0;
  std::int64_t hop = 0;
  SpectralDetrend detrend = SpectralDetrend::constant;
  RealTransform transform;
  /// By length: of `nperseg` frames, and of each segment that has fewer. Scaled so that squared
  /// magnitudes are what `SpectralScaling` says, where both halves of the spectrum count.
  std::map<std::int64_t, std::vector<float>> windows;
  std::vector<std::string> decisions;

  std::int64_t bins() const noexcept { return transform.bins(); }
  /// Whether frequency `bin` stands for its negative as well.
  bool is_double(std::int64_t bin) const noexcept { return bin > 0 && 2 * bin < transform.size; }
  /// Of powers, against float64, relative to the largest: a chirp has three transforms' rounding.
  double tolerance() const noexcept { return transform.chirped() ? 1e-5 : 4e-6; }
  /// The frames of a window in a segment of so many, and how many windows there are.
  std::int64_t length_in(std::int64_t frames) const noexcept;
  std::int64_t windows_in(std::int64_t frames) const noexcept;
};

/// `noverlap`: what part of `nperseg` it is where it is not given.
/// Errors: `invalid_spec` naming the field.
SpectralPlan plan_spectra(const SpectralWindows& params, SpectralScaling scaling,
                          const Rational& noverlap, const StreamInfo& in);

/// scipy.signal.get_window(…, fftbins=True): one period of the window's repetition.
/// Source: Harris 1978, section IV (DFT-even windows).
std::vector<double> periodic_window(const Window& window, std::int64_t length);

/// The frequency of a bin, in Hz.
double bin_hz(const SpectralPlan& plan, const SampleRate& rate, std::int64_t bin) noexcept;

/// What powers of counts of the channel mean: the gain squared, no offset, the unit squared, and
/// per Hz for a density. Errors: `invalid_spec` when the gain squared leaves the range of doubles.
Channel power_channel(Channel channel, SpectralScaling scaling);

/// A stream of one table a segment, a row for each frequency; segments without frames have none.
StreamInfo spectrum_stream(const SpectralPlan& plan, const StreamInfo& in);

inline constexpr const char* kNpersegDoc =
    "Frames of a window, 256 if neither it nor segment_s is given; a shorter segment has one "
    "window "
    "of its own length.";

/// The schema of parameters that inherit `SpectralWindows`: its fields, and after them their own.
/// `noverlap_doc`: what holds where it is not given.
template <class T, class... Own>
op::Schema<T> spectral_schema(const std::string& noverlap_doc, Own... own) {
  const auto of = []<class M>(M SpectralWindows::* member) { return static_cast<M T::*>(member); };
  using op::field;
  return op::Schema<T>{
      field("window", of(&SpectralWindows::window),
            {.doc = "As scipy.signal.get_window names it, with its parameters: \"tukey 0.25\"."}),
      field("nperseg", of(&SpectralWindows::nperseg),
            {.unit = "frames", .min = 1, .max = 1 << 20, .doc = kNpersegDoc}),
      field("segment_s", of(&SpectralWindows::segment_s),
            {.unit = "s", .min = 0, .above_min = true, .doc = "nperseg as a time."}),
      field("noverlap", of(&SpectralWindows::noverlap),
            {.unit = "frames",
             .min = 0,
             .doc = "Frames that a window shares with the next; " + noverlap_doc + "."}),
      field("nfft", of(&SpectralWindows::nfft),
            {.unit = "frames",
             .min = 1,
             .max = 1 << 20,
             .doc = "Frames of the transform: zeros follow the window. nperseg if not given."}),
      field("detrend", of(&SpectralWindows::detrend),
            {.doc = "What is taken off each window: its mean, its line, or nothing."}),
      std::move(own)...};
}

}  // namespace weir::signal
