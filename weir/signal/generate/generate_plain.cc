#include "weir/signal/generate/generators_internal.h"
#include "weir/signal/generate/smooth_internal.h"

namespace weir::signal {
namespace {
constexpr double kGainUv = 0.195;

struct Sine {
  double duration_s = 10;
  double rate_hz = 30000;
  std::int64_t channels = 4;
  double frequency_hz = 1000;
  double amplitude_uv = 1000;
};

struct Noise {
  double duration_s = 10;
  double rate_hz = 30000;
  std::int64_t channels = 4;
  std::int64_t seed = 1;
  double sd_uv = 10;
};

class SineRecording final : public SyntheticRecording {
 public:
  explicit SineRecording(const Sine& params) : params_(params) {
    stream_ = synthetic_stream(params.duration_s, params.rate_hz,
                               make_channels(params.channels, kGainUv, 0, "uV"));
    turns_ = Rational::from_decimal(params.frequency_hz) / stream_.rate.exact();
  }
  void fill(std::int64_t first, Block<std::int16_t> out) const override {
    for (std::int64_t frame = 0; frame < out.frames(); ++frame) {
      const double turn = turn_at(turns_, first + frame);
      for (std::int64_t channel = 0; channel < params_.channels; ++channel) {
        const double shifted =
            turn + static_cast<double>(channel) / static_cast<double>(params_.channels);
        const double value = sine_of_turn(shifted < 1 ? shifted : shifted - 1);
        out(frame, channel) = to_count(static_cast<float>(params_.amplitude_uv * value / kGainUv));
      }
    }
  }

 private:
  Sine params_;
  Rational turns_;
};

class NoiseRecording final : public SyntheticRecording {
 public:
  explicit NoiseRecording(const Noise& params) : params_(params) {
    stream_ = synthetic_stream(params.duration_s, params.rate_hz,
                               make_channels(params.channels, kGainUv, 0, "uV"));
  }
  void fill(std::int64_t first, Block<std::int16_t> out) const override {
    const std::uint64_t key = key_of(static_cast<std::uint64_t>(params_.seed), 1);
    const auto sd = static_cast<float>(params_.sd_uv / kGainUv);
    for (std::int64_t frame = 0; frame < out.frames(); ++frame) {
      const auto index = static_cast<std::uint64_t>((first + frame) * params_.channels);
      for (std::int64_t channel = 0; channel < params_.channels; ++channel) {
        out(frame, channel) =
            to_count(sd * byte_normal(key, index + static_cast<std::uint64_t>(channel)));
      }
    }
  }

 private:
  Noise params_;
};

template <class P>
auto duration_field() {
  return op::field("duration_s", &P::duration_s,
                   {.unit = "s", .min = 0, .above_min = true, .doc = "Length."});
}
template <class P>
auto rate_field() {
  return op::field("rate_hz", &P::rate_hz,
                   {.unit = "Hz", .min = 0, .above_min = true, .doc = "Samples per second."});
}
template <class P>
auto channels_field() {
  return op::field("channels", &P::channels, {.min = 1, .max = 100000, .doc = "Channels."});
}
}  // namespace

Generator sine_generator() {
  using P = Sine;
  return make_generator<P, SineRecording>(
      "sine", "One sine; the channels share a turn evenly.",
      op::Schema<P>{duration_field<P>(), rate_field<P>(), channels_field<P>(),
                    op::field("frequency_hz", &P::frequency_hz,
                              {.unit = "Hz", .min = 0, .doc = "Frequency."}),
                    op::field("amplitude_uv", &P::amplitude_uv,
                              {.unit = "uV", .min = 0, .doc = "Amplitude."})});
}

Generator noise_generator() {
  using P = Noise;
  return make_generator<P, NoiseRecording>(
      "noise", "White noise, independent between channels.",
      op::Schema<P>{
          duration_field<P>(), rate_field<P>(), channels_field<P>(),
          op::field("seed", &P::seed, {.min = 0, .doc = "Another seed, another recording."}),
          op::field("sd_uv", &P::sd_uv, {.unit = "uV", .min = 0, .doc = "Standard deviation."})});
}

}  // namespace weir::signal
