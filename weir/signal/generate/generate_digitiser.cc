#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/signal/generate/generators_internal.h"
#include "weir/signal/generate/pulse_train_internal.h"
#include "weir/signal/generate/smooth_internal.h"

namespace weir::signal {
namespace {
struct Digitiser {
  double duration_s = 0.2;
  double rate_hz = 5e6;
  std::int64_t channels = 8;
  std::int64_t seed = 1;
  double pulses_hz = 5000;
  std::vector<double> peaks_kev = {1173.2, 1332.5};
  std::vector<double> intensities = {1, 1};
  double resolution = 0.01;
  double peak_share = 0.4;
  double compton_share = 0.3;
  double background_kev = 800;
  double lowest_kev = 60;
  double mv_per_kev = 1;
  double rise_s = 5e-7;
  double decay_s = 5e-5;
  double offset_mv = 40;
  double noise_mv = 1;
};

enum Purpose : std::uint64_t { kNoise = 1, kPulses };

constexpr double kGainMv = 0.125;  ///< 16 bits over ±4 V.
constexpr double kElectronKev = 510.99895;
constexpr double kReference = 1000;           ///< keV, where `resolution` holds.
constexpr double kNegligible = 1e-9;          ///< Of a pulse's height: its rise is over.
constexpr double kReachDecays = 14;           ///< Then a pulse is below a millionth of its height.
constexpr double kMostDecay = 1e5;            ///< Samples; every pulse is walked from its start.
constexpr std::int64_t kMostChannels = 4096;  ///< Counters reserved for one frame.

/// The most that one Compton scattering leaves in the crystal.
/// Source: Compton 1923, at 180 degrees.
double compton_edge(double kev) noexcept {
  const double twice = 2 * kev / kElectronKev;
  return kev * twice / (1 + twice);
}

/// The current of a crystal through an amplifier: exp(-t/decay) - exp(-t/rise), highest at 1.
class PulseShape {
 public:
  PulseShape(double rise_frames, double decay_frames) noexcept
      : rise_(rise_frames), decay_(decay_frames) {
    // The slope changes its sign once.
    double before = 0;
    double after = decay_;
    for (int i = 0; i < 60; ++i) {
      const double middle = (before + after) / 2;
      const bool rises = decayed(middle / rise_) / rise_ > decayed(middle / decay_) / decay_;
      (rises ? before : after) = middle;
    }
    top_ = before;
    scale_ = 1 / (decayed(top_ / decay_) - decayed(top_ / rise_));
  }

  double top() const noexcept { return top_; }
  double reach() const noexcept { return kReachDecays * decay_; }

  /// Adds a pulse of `height` that starts at `start` to frames [first, first + frames).
  /// Always walked from its start, so that every cut adds the same bits.
  void add(double start, double height, std::int64_t first, std::span<double> frames) const {
    const auto from = static_cast<std::int64_t>(std::ceil(start));
    const auto to = std::min(static_cast<std::int64_t>(std::floor(start + reach())),
                             first + static_cast<std::int64_t>(frames.size()) - 1);
    const double late = static_cast<double>(from) - start;
    double falling = height * scale_ * decayed(late / decay_);
    double rising = height * scale_ * decayed(late / rise_);
    const double falls = decayed(1 / decay_);
    const double rises = decayed(1 / rise_);
    for (std::int64_t frame = from; frame <= to; ++frame) {
      if (frame >= first) {
        frames[static_cast<std::size_t>(frame - first)] += falling - rising;
      }
      falling *= falls;
      rising = rising > kNegligible * height ? rising * rises : 0;
    }
  }

 private:
  double rise_;
  double decay_;
  double top_ = 0;
  double scale_ = 1;
};

class DigitiserRecording final : public SyntheticRecording {
 public:
  explicit DigitiserRecording(const Digitiser& params)
      : params_(params), shape_(params.rise_s * params.rate_hz, params.decay_s * params.rate_hz) {
    check();
    stream_ = synthetic_stream(params.duration_s, params.rate_hz,
                               make_channels(params.channels, kGainMv, 0, "mV"));
    const double sum = std::accumulate(params.intensities.begin(), params.intensities.end(), 0.0);
    double below = 0;
    for (const double intensity : params.intensities) {
      below += intensity / sum;
      shares_.push_back(below);
    }
  }

  void fill(std::int64_t first, Block<std::int16_t> out) const override {
    constexpr std::int64_t kStretch = 16384;
    std::vector<double> mv;
    for (std::int64_t at = 0; at < out.frames(); at += kStretch) {
      const std::int64_t frames = std::min(kStretch, out.frames() - at);
      for (std::int64_t channel = 0; channel < params_.channels; ++channel) {
        mv.assign(static_cast<std::size_t>(frames), params_.offset_mv);
        const auto begin = static_cast<double>(first + at);
        train(channel).for_each(begin - shape_.reach(), begin + static_cast<double>(frames),
                                [&](const Arrival& arrival) {
                                  shape_.add(arrival.frame, pulse(arrival).mv, first + at, mv);
                                });
        for (std::int64_t frame = 0; frame < frames; ++frame) {
          out(at + frame, channel) =
              counted(mv[static_cast<std::size_t>(frame)], first + at + frame, channel);
        }
      }
    }
  }

  std::vector<TruthEvent> truth() const override {
    std::vector<TruthEvent> events;
    const std::int64_t last = stream_.segments.front().frames;
    for (std::int64_t channel = 0; channel < params_.channels; ++channel) {
      train(channel).for_each(
          -shape_.top() - 1, static_cast<double>(last), [&](const Arrival& arrival) {
            const Pulse made = pulse(arrival);
            const auto sample =
                static_cast<std::int64_t>(std::floor(arrival.frame + shape_.top() + 0.5));
            if (sample >= 0 && sample < last) {
              events.push_back(
                  {made.component, channel, sample, made.mv / noise_or_count(), made.mv});
            }
          });
    }
    std::stable_sort(events.begin(), events.end(), [](const TruthEvent& a, const TruthEvent& b) {
      return a.sample != b.sample ? a.sample < b.sample : a.unit < b.unit;
    });
    return events;
  }

 private:
  struct Pulse {
    std::int64_t component = 0;
    double mv = 0;
  };

  void check() const {
    if (params_.peaks_kev.empty() || params_.peaks_kev.size() != params_.intensities.size()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("intensities: {} for {} of peaks_kev; each peak needs one",
                              params_.intensities.size(), params_.peaks_kev.size()));
    }
    for (std::size_t i = 0; i < params_.peaks_kev.size(); ++i) {
      // Written so that a NaN is refused.
      if (!(params_.peaks_kev[i] > params_.lowest_kev && params_.peaks_kev[i] < 1e6)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("peaks_kev: {} does not lie between lowest_kev ({}) and 1e6",
                                params_.peaks_kev[i], params_.lowest_kev));
      }
      if (!(params_.intensities[i] > 0 && params_.intensities[i] < 1e9)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("intensities: {} is not above 0", params_.intensities[i]));
      }
    }
    if (params_.peak_share + params_.compton_share > 1) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("compton_share: {} and peak_share ({}) are more than 1 together",
                              params_.compton_share, params_.peak_share));
    }
    if (params_.rise_s * params_.rate_hz < 0.5 || params_.rise_s >= params_.decay_s) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("rise_s: {} s must be half a sample ({} s) at least and shorter than "
                              "decay_s ({} s)",
                              params_.rise_s, 0.5 / params_.rate_hz, params_.decay_s));
    }
    if (params_.decay_s * params_.rate_hz > kMostDecay) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("decay_s: {} s are {:.0f} samples; {:.0f} is the most",
                              params_.decay_s, params_.decay_s * params_.rate_hz, kMostDecay));
    }
  }

  PulseTrain train(std::int64_t channel) const noexcept {
    const std::uint64_t key = key_of(static_cast<std::uint64_t>(params_.seed), kPulses);
    return {random_bits(key, static_cast<std::uint64_t>(channel)),
            stream_.rate.hz() / params_.pulses_hz};
  }

  Pulse pulse(const Arrival& arrival) const noexcept {
    Draws draws(arrival.key);
    const double kind = draws.uniform();
    const double which = draws.uniform();
    std::size_t peak = 0;
    while (peak + 1 < shares_.size() && which >= shares_[peak]) {
      ++peak;
    }
    Pulse made{static_cast<std::int64_t>(peak), 0};
    double kev = params_.peaks_kev[peak];
    const double lowest = params_.lowest_kev;
    if (kind >= params_.peak_share + params_.compton_share) {
      made.component = static_cast<std::int64_t>(shares_.size()) + 1;
      kev = lowest + params_.background_kev * draws.exponential();
    } else if (kind >= params_.peak_share) {
      made.component = static_cast<std::int64_t>(shares_.size());
      kev = lowest + std::max(0.0, compton_edge(kev) - lowest) * draws.uniform();
    }
    kev += params_.resolution * std::sqrt(kReference * kev) * draws.normal();
    made.mv = std::max(0.0, kev) * params_.mv_per_kev;
    return made;
  }

  double noise_or_count() const noexcept {
    return params_.noise_mv > 0 ? params_.noise_mv : kGainMv;
  }

  std::int16_t counted(double mv, std::int64_t frame, std::int64_t channel) const noexcept {
    const std::uint64_t key = key_of(static_cast<std::uint64_t>(params_.seed), kNoise);
    const auto index = static_cast<std::uint64_t>(frame * kMostChannels + channel);
    const double noise = params_.noise_mv * static_cast<double>(byte_normal(key, index));
    return to_count(static_cast<float>((mv + noise) / kGainMv));
  }

  Digitiser params_;
  PulseShape shape_;
  std::vector<double> shares_;  ///< Of the peaks, added up.
};

template <class P>
op::Schema<P> digitiser_schema() {
  using op::field;
  return op::Schema<P>{
      field("duration_s", &P::duration_s,
            {.unit = "s", .min = 0, .above_min = true, .doc = "Length."}),
      field("rate_hz", &P::rate_hz,
            {.unit = "Hz", .min = 1000, .max = 1e10, .doc = "Samples per second."}),
      field("channels", &P::channels,
            {.min = 1, .max = kMostChannels, .doc = "Crystals, each with its own pulses."}),
      field("seed", &P::seed, {.min = 0, .doc = "Another seed, another recording."}),
      field("pulses_hz", &P::pulses_hz,
            {.unit = "Hz",
             .min = 1e-6,
             .max = 1e8,
             .doc = "Mean rate of a crystal; pulses come when they will and pile up."}),
      field("peaks_kev", &P::peaks_kev, {.unit = "keV", .doc = "Lines of the source."}),
      field("intensities", &P::intensities, {.doc = "How often each comes, relative."}),
      field("resolution", &P::resolution,
            {.min = 0,
             .max = 0.5,
             .doc = "sd over energy at 1000 keV; the sd grows as the root of the energy."}),
      field("peak_share", &P::peak_share,
            {.min = 0, .max = 1, .doc = "Share of pulses with a line's whole energy."}),
      field("compton_share", &P::compton_share,
            {.min = 0, .max = 1, .doc = "Share of pulses evenly below a line's Compton edge."}),
      field("background_kev", &P::background_kev,
            {.unit = "keV",
             .min = 0,
             .max = 1e5,
             .doc = "Scale of the exponential fall of all other pulses."}),
      field("lowest_kev", &P::lowest_kev,
            {.unit = "keV", .min = 0, .max = 1e5, .doc = "The continuum starts here."}),
      field("mv_per_kev", &P::mv_per_kev,
            {.unit = "mV/keV", .min = 0, .max = 1000, .above_min = true, .doc = "Amplification."}),
      field("rise_s", &P::rise_s,
            {.unit = "s", .min = 0, .max = 1, .above_min = true, .doc = "Time of a pulse's rise."}),
      field("decay_s", &P::decay_s,
            {.unit = "s", .min = 0, .max = 1, .above_min = true, .doc = "Time of its fall."}),
      field("offset_mv", &P::offset_mv,
            {.unit = "mV", .min = -4000, .max = 4000, .doc = "What stands when nothing happens."}),
      field("noise_mv", &P::noise_mv,
            {.unit = "mV", .min = 0, .max = 1000, .doc = "White noise, sd."}),
  };
}
}  // namespace

Generator digitiser_generator() {
  return make_generator<Digitiser, DigitiserRecording>(
      "digitiser",
      "Crystals beside a radioactive source: pulses of known lines, a continuum, pile-up, noise.",
      digitiser_schema<Digitiser>());
}

}  // namespace weir::signal
