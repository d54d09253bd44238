#include "weir/signal/spectral_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/core/text.h"
#include "weir/core/unit.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kUsualLength = 256;
constexpr std::int64_t kLongest = std::int64_t{1} << 20;

std::int64_t checked_nperseg(const SpectralWindows& params, const SampleRate& rate) {
  if (params.nperseg && params.segment_s) {
    throw Error(ErrorCode::invalid_spec, "segment_s: give nperseg or segment_s, not both");
  }
  if (!params.segment_s) {
    return params.nperseg.value_or(kUsualLength);
  }
  const std::int64_t frames = rate.nearest_frames(*params.segment_s);
  if (frames < 1 || frames > kLongest) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("segment_s: {} s are {} frames, not between 1 and {}",
                            *params.segment_s, frames, grouped(kLongest)));
  }
  return frames;
}

std::int64_t checked_noverlap(const SpectralWindows& params, std::int64_t nperseg,
                              const Rational& usual) {
  const std::int64_t noverlap = params.noverlap.value_or(usual.floor_times(nperseg));
  if (noverlap >= nperseg) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("noverlap: {} frames of windows of {}; fewer must be shared, or no window "
                    "would follow another",
                    noverlap, nperseg));
  }
  return noverlap;
}

std::int64_t checked_nfft(const SpectralWindows& params, std::int64_t nperseg) {
  const std::int64_t nfft = params.nfft.value_or(nperseg);
  if (nfft < nperseg) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("nfft: {} is less than nperseg, {}", nfft, nperseg));
  }
  return nfft;
}

/// The window of `length` frames, its values times the root of what its powers are divided by.
std::vector<float> scaled_window(const Window& window, std::int64_t length, SpectralScaling scaling,
                                 const SampleRate& rate) {
  const std::vector<double> values = periodic_window(window, length);
  double power = 0;
  for (const double value : values) {
    power += value * value;
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double divisor = scaling == SpectralScaling::density ? rate.hz() * power : sum * sum;
  if (!(divisor > 0)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("window: {} of {} frames has no {}", window.text(), length,
                            scaling == SpectralScaling::density ? "power" : "sum"));
  }
  const double factor = 1 / std::sqrt(divisor);
  std::vector<float> scaled(values.size());
  std::transform(values.begin(), values.end(), scaled.begin(),
                 [&](double value) { return static_cast<float>(value * factor); });
  return scaled;
}

void describe(const SpectralPlan& plan, const StreamInfo& in, std::vector<std::string>& lines) {
  std::int64_t windows = 0;
  std::int64_t short_segments = 0;
  for (const auto& segment : in.segments) {
    windows += plan.windows_in(segment.frames);
    short_segments += segment.frames > 0 && segment.frames < plan.nperseg ? 1 : 0;
  }
  lines.push_back(fmt::format(
      "{} windows of {} frames, one every {}; {} frequencies, each {:.6g} Hz", grouped(windows),
      grouped(plan.nperseg), grouped(plan.hop), grouped(plan.bins()), bin_hz(plan, in.rate, 1)));
  if (short_segments > 0) {
    lines.push_back(fmt::format("{} of {} segments are shorter: one window of their own length",
                                short_segments, in.segments.size()));
  }
  if (plan.transform.chirped()) {
    lines.push_back(fmt::format("transforms of {} by way of two of {}: no power of two",
                                grouped(plan.transform.rows), grouped(plan.transform.stages)));
  }
}
}  // namespace

std::span<const op::EnumName<SpectralDetrend>> names_of(SpectralDetrend) {
  static constexpr op::EnumName<SpectralDetrend> kNames[] = {
      {"constant", SpectralDetrend::constant},
      {"linear", SpectralDetrend::linear},
      {"none", SpectralDetrend::none}};
  return kNames;
}

std::span<const op::EnumName<SpectralScaling>> names_of(SpectralScaling) {
  static constexpr op::EnumName<SpectralScaling> kNames[] = {
      {"density", SpectralScaling::density}, {"spectrum", SpectralScaling::spectrum}};
  return kNames;
}

std::int64_t SpectralPlan::length_in(std::int64_t frames) const noexcept {
  return std::min(nperseg, frames);
}

std::int64_t SpectralPlan::windows_in(std::int64_t frames) const noexcept {
  return frames < 1 ? 0 : 1 + (frames - length_in(frames)) / hop;
}

SpectralPlan plan_spectra(const SpectralWindows& params, SpectralScaling scaling,
                          const Rational& noverlap, const StreamInfo& in) {
  SpectralPlan plan;
  plan.nperseg = checked_nperseg(params, in.rate);
  plan.hop = plan.nperseg - checked_noverlap(params, plan.nperseg, noverlap);
  plan.detrend = params.detrend;
  plan.transform = plan_real_transform(checked_nfft(params, plan.nperseg));
  plan.windows[plan.nperseg] = scaled_window(params.window, plan.nperseg, scaling, in.rate);
  for (const auto& segment : in.segments) {
    const std::int64_t length = plan.length_in(segment.frames);
    if (length > 0 && !plan.windows.contains(length)) {
      plan.windows[length] = scaled_window(params.window, length, scaling, in.rate);
    }
  }
  describe(plan, in, plan.decisions);
  return plan;
}

std::vector<double> periodic_window(const Window& window, std::int64_t length) {
  if (length == 1) {
    return {1.0};
  }
  std::vector<double> values = window_values(window, length + 1);
  values.pop_back();
  return values;
}

double bin_hz(const SpectralPlan& plan, const SampleRate& rate, std::int64_t bin) noexcept {
  return static_cast<double>(bin) * rate.hz() / static_cast<double>(plan.transform.size);
}

Channel power_channel(Channel channel, SpectralScaling scaling) {
  const double gain = channel.gain * channel.gain;
  if (!std::isfinite(gain) || (channel.gain != 0 && !std::isnormal(gain))) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("input: the square of the gain {} of channel \"{}\" leaves the range "
                            "of doubles",
                            channel.gain, channel.name));
  }
  channel.gain = gain;
  channel.offset = 0;
  channel.unit = unit_to_the(2, channel.unit);
  if (scaling == SpectralScaling::density) {
    channel.unit = channel.unit.empty() ? "1/Hz" : channel.unit + "/Hz";
  }
  return channel;
}

StreamInfo spectrum_stream(const SpectralPlan& plan, const StreamInfo& in) {
  StreamInfo out = in;
  out.type = SampleType::float32;
  out.axis = Axis::frequency_hz;
  out.rate = SampleRate(Rational(plan.transform.size) / in.rate.exact());
  for (auto& segment : out.segments) {
    segment.frames = segment.frames > 0 ? plan.bins() : 0;
    segment.first_frame = 0;
  }
  return out;
}

}  // namespace weir::signal
