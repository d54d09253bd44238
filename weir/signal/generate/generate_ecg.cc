#include <algorithm>
#include <array>

#include "weir/signal/generate/generators_internal.h"
#include "weir/signal/generate/smooth_internal.h"

namespace weir::signal {
namespace {
struct Ecg {
  double duration_s = 600;
  double rate_hz = 360;
  std::int64_t seed = 1;
  double heart_hz = 1.2;
  double variability = 0.06;
  double ectopic_share = 0.01;
  double noise_mv = 0.025;
  double wander_mv = 0.15;
  double powerline_mv = 0.02;
  double powerline_hz = 60;
};

enum Purpose : std::uint64_t { kBeats = 1, kPace, kMuscle, kBurst, kWander };

constexpr double kGainMv =
    0.005;  ///< 200 counts per mV, baseline at count 1024, as MIT-BIH has it.
constexpr double kBaseline = 1024;

/// One bump of the heart's cycle, seen by the two leads.
struct Wave {
  double at_s;
  double width_s;
  std::array<double, 2> mv;
};
constexpr std::array<Wave, 6> kNormal{{{-0.170, 0.022, {0.14, 0.07}},
                                       {-0.026, 0.008, {-0.10, -0.06}},
                                       {0.000, 0.0100, {1.15, 0.55}},
                                       {0.028, 0.0095, {-0.22, -0.45}},
                                       {0.230, 0.030, {0.08, 0.05}},
                                       {0.280, 0.045, {0.22, 0.10}}}};
constexpr std::array<Wave, 6> kEctopic{{{-0.060, 0.018, {-0.10, 0.05}},
                                        {0.000, 0.026, {1.25, -0.70}},
                                        {0.075, 0.030, {-0.45, 0.30}},
                                        {0.290, 0.060, {-0.35, 0.20}},
                                        {0.0, 1, {0, 0}},
                                        {0.0, 1, {0, 0}}}};
constexpr double kReachS = 0.6;

struct Beat {
  std::int64_t sample = 0;
  bool ectopic = false;
  double height = 1;
};

class EcgRecording final : public SyntheticRecording {
 public:
  explicit EcgRecording(const Ecg& params) : params_(params) {
    auto channels = make_channels(2, kGainMv, -kBaseline * kGainMv, "mV");
    channels[0].name = "MLII";
    channels[1].name = "V5";
    stream_ = synthetic_stream(params.duration_s, params.rate_hz, std::move(channels));
    period_ = stream_.rate.hz() / params.heart_hz;
    powerline_ = Rational::from_decimal(params.powerline_hz) / stream_.rate.exact();
  }

  void fill(std::int64_t first, Block<std::int16_t> out) const override {
    const auto reach = static_cast<std::int64_t>(kReachS * stream_.rate.hz()) + 1;
    std::vector<double> mv(static_cast<std::size_t>(2 * out.frames()));
    for (const Beat& beat : beats(first - reach, first + out.frames() + reach)) {
      add_beat(beat, first, out.frames(), mv);
    }
    for (std::int64_t frame = 0; frame < out.frames(); ++frame) {
      for (std::int64_t lead = 0; lead < 2; ++lead) {
        const double value =
            mv[static_cast<std::size_t>(2 * frame + lead)] + background(first + frame, lead);
        out(frame, lead) = to_count(static_cast<float>(value / kGainMv + kBaseline));
      }
    }
  }

  std::vector<TruthEvent> truth() const override {
    std::vector<TruthEvent> events;
    for (const Beat& beat : beats(0, stream_.segments.front().frames)) {
      const double mv = beat.height * (beat.ectopic ? kEctopic[1].mv[0] : kNormal[2].mv[0]);
      events.push_back({beat.ectopic ? 1 : 0, 0, beat.sample,
                        mv / (params_.noise_mv > 0 ? params_.noise_mv : kGainMv), mv});
    }
    return events;
  }

 private:
  std::uint64_t key(Purpose purpose) const noexcept {
    return key_of(static_cast<std::uint64_t>(params_.seed), purpose);
  }

  Beat beat(std::int64_t index) const noexcept {
    const auto counter = static_cast<std::uint64_t>(index);
    Beat beat;
    beat.ectopic = uniform(key(kBeats), 3 * counter) < params_.ectopic_share;
    beat.height = 1 + 0.06 * smooth_noise(key(kBeats) + 1, index, 7);
    const double breath = sine_of_turn(turn_at(Rational(23, 100), index));
    const double place =
        static_cast<double>(index) + 0.5 +
        params_.variability * (4 * smooth_noise(key(kPace), index, 12) + 0.6 * breath +
                               0.2 * normal(key(kPace) + 1, counter)) -
        (beat.ectopic ? 0.25 : 0);
    // Half up by integers: the cast truncates, and places from -8 on are made positive first.
    beat.sample = static_cast<std::int64_t>(place * period_ + 0.5 + 1048576) - 1048576;
    return beat;
  }

  std::vector<Beat> beats(std::int64_t first, std::int64_t last) const {
    std::vector<Beat> found;
    // A beat strays less than this many periods from its place.
    const auto stray = static_cast<std::int64_t>(40 * params_.variability) + 3;
    const auto from =
        static_cast<std::int64_t>(static_cast<double>(std::max<std::int64_t>(0, first)) / period_) -
        stray;
    const auto to = static_cast<std::int64_t>(static_cast<double>(last) / period_) + stray;
    for (std::int64_t index = std::max<std::int64_t>(0, from); index <= to; ++index) {
      const Beat candidate = beat(index);
      if (candidate.sample >= first && candidate.sample < last) {
        found.push_back(candidate);
      }
    }
    return found;
  }

  void add_beat(const Beat& beat, std::int64_t first, std::int64_t frames,
                std::vector<double>& mv) const {
    const auto reach = static_cast<std::int64_t>(kReachS * stream_.rate.hz());
    const std::int64_t from = std::max(first, beat.sample - reach);
    const std::int64_t to = std::min(first + frames, beat.sample + reach);
    for (std::int64_t frame = from; frame < to; ++frame) {
      const double seconds = static_cast<double>(frame - beat.sample) / stream_.rate.hz();
      for (const Wave& wave : beat.ectopic ? kEctopic : kNormal) {
        const double height = beat.height * bell((seconds - wave.at_s) / wave.width_s);
        mv[static_cast<std::size_t>(2 * (frame - first))] += height * wave.mv[0];
        mv[static_cast<std::size_t>(2 * (frame - first) + 1)] += height * wave.mv[1];
      }
    }
  }

  double background(std::int64_t frame, std::int64_t lead) const noexcept {
    const auto second = static_cast<std::int64_t>(stream_.rate.hz());
    const auto own = static_cast<std::uint64_t>(lead);
    const double burst = smooth_noise(key(kBurst), frame, 5 * second);
    const double muscle = params_.noise_mv * (1 + (burst > 1 ? burst - 1 : 0)) *
                          static_cast<double>(byte_normal(key(kMuscle) + (own << 62U),
                                                          static_cast<std::uint64_t>(frame)));
    const double wander = params_.wander_mv * smooth_noise(key(kWander) + own, frame, 2 * second);
    return muscle + wander + params_.powerline_mv * sine_of_turn(turn_at(powerline_, frame));
  }

  Ecg params_;
  double period_ = 1;
  Rational powerline_;
};
}  // namespace

Generator ecg_generator() {
  using P = Ecg;
  using op::field;
  return make_generator<P, EcgRecording>(
      "ecg",
      "A two-lead electrocardiogram with ectopic beats, wander, muscle noise and power line.",
      op::Schema<P>{
          field("duration_s", &P::duration_s,
                {.unit = "s", .min = 0, .above_min = true, .doc = "Length."}),
          field("rate_hz", &P::rate_hz,
                {.unit = "Hz", .min = 100, .max = 10000, .doc = "Samples per second."}),
          field("seed", &P::seed, {.min = 0, .doc = "Another seed, another recording."}),
          field("heart_hz", &P::heart_hz,
                {.unit = "Hz", .min = 0.3, .max = 3, .doc = "Beats per second."}),
          field("variability", &P::variability,
                {.min = 0, .max = 0.12, .doc = "How much the time between beats varies."}),
          field("ectopic_share", &P::ectopic_share,
                {.min = 0, .max = 1, .doc = "Share of early, wide beats."}),
          field("noise_mv", &P::noise_mv,
                {.unit = "mV", .min = 0, .max = 1, .doc = "Muscle noise, sd; bursts have more."}),
          field("wander_mv", &P::wander_mv,
                {.unit = "mV", .min = 0, .max = 2, .doc = "Baseline wander, sd."}),
          field("powerline_mv", &P::powerline_mv,
                {.unit = "mV", .min = 0, .max = 2, .doc = "Power line, amplitude."}),
          field("powerline_hz", &P::powerline_hz,
                {.unit = "Hz", .min = 1, .max = 100, .doc = "Its frequency."}),
      });
}

}  // namespace weir::signal
