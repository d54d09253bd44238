#include <algorithm>
#include <array>
#include <cmath>

#include "weir/signal/generate/generators_internal.h"
#include "weir/signal/generate/smooth_internal.h"

namespace weir::signal {
namespace {
struct Neuropixels {
  double duration_s = 60;
  double rate_hz = 30000;
  std::int64_t channels = 384;
  std::int64_t seed = 1;
  std::int64_t units = 60;
  double snr_min = 4;
  double snr_max = 25;
  double firing_hz = 6;
  double refractory_s = 0.002;
  double noise_uv = 7;
  double common_uv = 6;
  double lfp_uv = 80;
  double hum_uv = 12;
  double hum_hz = 60;
  double drift_um = 15;
  double drift_period_s = 120;
};

enum Purpose : std::uint64_t { kNoise = 1, kCommon, kLfp, kUnits, kSpikes };

constexpr double kGainUv = 2.34375;
constexpr double kDecayUm = 28;  ///< Distance at which a spike has half its height.
constexpr double kReachUm = 160;
constexpr std::int64_t kBefore = 30;         ///< Frames of a template at 30 kHz before its trough …
constexpr std::int64_t kAfter = 60;          ///< … and after.
constexpr std::int64_t kChannelStep = 4096;  ///< Counters reserved for one frame.

struct Unit {
  double x = 0;
  double y = 0;
  double height_uv = 0;   ///< Of the trough, at its own place.
  double width = 1;       ///< Of its shape, relative.
  double rebound = 0.3;   ///< Of the positive phase, relative to the trough.
  std::int64_t slot = 0;  ///< Frames in which it fires at most once.
  std::uint64_t key = 0;
};

/// Positions of a Neuropixels 1.0 bank: two sites a row, rows 20 µm apart, every other row shifted.
std::vector<Channel> probe_channels(std::int64_t count) {
  constexpr std::array<double, 4> kColumns{43, 11, 59, 27};
  auto channels = make_channels(count, kGainUv, 0, "uV");
  for (std::int64_t i = 0; i < count; ++i) {
    auto& channel = channels[static_cast<std::size_t>(i)];
    channel.name = fmt::format("AP{}", i);
    channel.group = "0";
    channel.position = {kColumns[static_cast<std::size_t>(i % 4)],
                        20.0 * std::floor(static_cast<double>(i) / 2), 0};
  }
  return channels;
}

class NeuropixelsRecording final : public SyntheticRecording {
 public:
  explicit NeuropixelsRecording(const Neuropixels& params) : params_(params) {
    stream_ = synthetic_stream(params.duration_s, params.rate_hz, probe_channels(params.channels));
    if (params.snr_max < params.snr_min) {
      throw Error(ErrorCode::invalid_spec, fmt::format("snr_max: {} is less than snr_min ({})",
                                                       params.snr_max, params.snr_min));
    }
    refractory_ = stream_.rate.ceil_frames(params.refractory_s);
    hum_ = Rational::from_decimal(params.hum_hz) / stream_.rate.exact();
    drift_ = Rational(1) / (Rational::from_decimal(params.drift_period_s) * stream_.rate.exact());
    make_units();
  }

  void fill(std::int64_t first, Block<std::int16_t> out) const override {
    constexpr std::int64_t kStretch = 512;
    std::vector<float> counts(static_cast<std::size_t>(kStretch * params_.channels));
    for (std::int64_t at = 0; at < out.frames(); at += kStretch) {
      const std::int64_t frames = std::min(kStretch, out.frames() - at);
      fill_background(first + at, frames, counts.data());
      for (const auto& unit : units_) {
        add_spikes(unit, first + at, frames, counts.data());
      }
      for (std::int64_t frame = 0; frame < frames; ++frame) {
        const float* row = counts.data() + frame * params_.channels;
        std::transform(row, row + params_.channels, out.row(at + frame),
                       [](float count) { return to_count(count); });
      }
    }
  }

  std::vector<TruthEvent> truth() const override {
    std::vector<TruthEvent> events;
    const std::int64_t frames = stream_.segments.front().frames;
    for (std::size_t index = 0; index < units_.size(); ++index) {
      for_each_spike(units_[index], 0, frames, [&](std::int64_t sample) {
        events.push_back(describe(static_cast<std::int64_t>(index), sample));
      });
    }
    std::sort(events.begin(), events.end(), [](const TruthEvent& a, const TruthEvent& b) {
      return a.sample != b.sample ? a.sample < b.sample : a.unit < b.unit;
    });
    return events;
  }

 private:
  std::uint64_t key(Purpose purpose) const noexcept {
    return key_of(static_cast<std::uint64_t>(params_.seed), purpose);
  }

  void make_units() {
    const double depth = 20.0 * std::ceil(static_cast<double>(params_.channels) / 2);
    for (std::int64_t i = 0; i < params_.units; ++i) {
      const std::uint64_t own = mixed(key(kUnits) + static_cast<std::uint64_t>(i));
      Unit unit;
      unit.x = 70 * uniform(own, 0);
      unit.y = depth * uniform(own, 1);
      unit.height_uv = params_.noise_uv *
                       (params_.snr_min + (params_.snr_max - params_.snr_min) * uniform(own, 2)) /
                       nearest_share(unit);
      unit.width = 0.8 + 0.6 * uniform(own, 3);
      unit.rebound = 0.2 + 0.3 * uniform(own, 4);
      const double mean_hz = params_.firing_hz * (0.5 + uniform(own, 5));
      unit.slot =
          std::max(2 * refractory_, static_cast<std::int64_t>(stream_.rate.hz() / mean_hz / 2));
      unit.key = key_of(own, kSpikes);
      units_.push_back(unit);
    }
  }

  /// The share of a unit's height that its best channel sees without drift.
  double nearest_share(const Unit& unit) const {
    double best = 0;
    for (std::int64_t channel = 0; channel < params_.channels; ++channel) {
      best = std::max(best, share(unit, channel, 0));
    }
    return best;
  }

  double share(const Unit& unit, std::int64_t channel, double drift_um) const noexcept {
    const auto& position = *stream_.channels[static_cast<std::size_t>(channel)].position;
    const double dx = position[0] - unit.x;
    const double dy = position[1] - unit.y - drift_um;
    const double square = dx * dx + dy * dy;
    return square > kReachUm * kReachUm ? 0 : 1 / (1 + square / (kDecayUm * kDecayUm));
  }

  double drift_at(std::int64_t frame) const noexcept {
    return params_.drift_um * sine_of_turn(turn_at(drift_, frame));
  }

  /// First and one past the last channel that can see the unit.
  std::array<std::int64_t, 2> channels_near(const Unit& unit, double drift_um) const noexcept {
    const auto row = [](double y) { return static_cast<std::int64_t>(y / 20); };
    const double middle = unit.y + drift_um;
    return {std::clamp<std::int64_t>(2 * row(middle - kReachUm), 0, params_.channels),
            std::clamp<std::int64_t>(2 * row(middle + kReachUm) + 2, 0, params_.channels)};
  }

  /// Half of the slots hold a spike; its place within leaves the refractory period free at the end.
  template <class Visit>
  void for_each_spike(const Unit& unit, std::int64_t first, std::int64_t last,
                      Visit&& visit) const {
    const std::int64_t first_slot = std::max<std::int64_t>(0, first / unit.slot);
    for (std::int64_t slot = first_slot; slot * unit.slot < last; ++slot) {
      const std::uint64_t bits = random_bits(unit.key, static_cast<std::uint64_t>(slot));
      const auto place = static_cast<std::int64_t>(
          (bits >> 16U) % static_cast<std::uint64_t>(unit.slot - refractory_));
      const std::int64_t sample = slot * unit.slot + place;
      if ((bits & 1U) != 0 && sample >= first && sample < last) {
        visit(sample);
      }
    }
  }

  void fill_background(std::int64_t first, std::int64_t frames, float* counts) const {
    const std::uint64_t noise = key(kNoise);
    const auto noise_counts = static_cast<float>(params_.noise_uv / kGainUv);
    const auto spacing = std::max<std::int64_t>(1, stream_.rate.nearest_frames(0.02));
    for (std::int64_t frame = first; frame < first + frames; ++frame) {
      const double common_uv =
          params_.common_uv *
              static_cast<double>(byte_normal(key(kCommon), static_cast<std::uint64_t>(frame))) +
          params_.lfp_uv * smooth_noise(key(kLfp), frame, spacing) +
          params_.hum_uv * sine_of_turn(turn_at(hum_, frame));
      const auto common = static_cast<float>(common_uv / kGainUv);
      const auto index = static_cast<std::uint64_t>(frame * kChannelStep);
      for (std::int64_t channel = 0; channel < params_.channels; ++channel) {
        counts[channel] =
            common + noise_counts * byte_normal(noise, index + static_cast<std::uint64_t>(channel));
      }
      counts += params_.channels;
    }
  }

  void add_spikes(const Unit& unit, std::int64_t first, std::int64_t frames, float* counts) const {
    const double per_30khz = stream_.rate.hz() / 30000;
    const auto before = static_cast<std::int64_t>(kBefore * per_30khz) + 1;
    const auto after = static_cast<std::int64_t>(kAfter * per_30khz) + 1;
    for_each_spike(unit, first - after, first + frames + before, [&](std::int64_t sample) {
      const double drift = drift_at(sample);
      const auto [low, high] = channels_near(unit, drift);
      const std::int64_t from = std::max(first, sample - before);
      const std::int64_t to = std::min(first + frames, sample + after);
      std::vector<float> shares;
      for (std::int64_t channel = low; channel < high; ++channel) {
        shares.push_back(
            static_cast<float>(share(unit, channel, drift) * unit.height_uv / kGainUv));
      }
      for (std::int64_t frame = from; frame < to; ++frame) {
        const auto shape = static_cast<float>(
            shape_at(unit, static_cast<double>(frame - sample) / stream_.rate.hz()));
        float* row = counts + (frame - first) * params_.channels + low;
        for (std::size_t i = 0; i < shares.size(); ++i) {
          row[i] += shape * shares[i];
        }
      }
    });
  }

  /// A trough of height 1 at 0, then a wider, lower peak.
  static double shape_at(const Unit& unit, double seconds) noexcept {
    const double ms = seconds * 1000 / unit.width;
    return -bell(ms / 0.11) + unit.rebound * bell((ms - 0.42) / 0.19);
  }

  TruthEvent describe(std::int64_t index, std::int64_t sample) const {
    const Unit& unit = units_[static_cast<std::size_t>(index)];
    const double drift = drift_at(sample);
    const auto [low, high] = channels_near(unit, drift);
    TruthEvent event{index, low, sample, 0};
    for (std::int64_t channel = low; channel < high; ++channel) {
      const double snr = share(unit, channel, drift) * unit.height_uv / params_.noise_uv;
      if (snr > event.snr) {
        event.channel = channel;
        event.snr = snr;
      }
    }
    event.height = event.snr * params_.noise_uv;
    return event;
  }

  Neuropixels params_;
  std::vector<Unit> units_;
  std::int64_t refractory_ = 0;
  Rational hum_;
  Rational drift_;
};
}  // namespace

Generator neuropixels_generator() {
  using P = Neuropixels;
  using op::field;
  return make_generator<P, NeuropixelsRecording>(
      "neuropixels", "A Neuropixels 1.0 bank with drifting neurons, common noise, LFP and hum.",
      op::Schema<P>{
          field("duration_s", &P::duration_s,
                {.unit = "s", .min = 0, .above_min = true, .doc = "Length."}),
          field("rate_hz", &P::rate_hz,
                {.unit = "Hz", .min = 5000, .max = 1e6, .doc = "Samples per second."}),
          field("channels", &P::channels,
                {.min = 1, .max = kChannelStep, .doc = "Sites of the probe."}),
          field("seed", &P::seed, {.min = 0, .doc = "Another seed, another recording."}),
          field("units", &P::units, {.min = 0, .max = 10000, .doc = "Neurons."}),
          field("snr_min", &P::snr_min,
                {.min = 0,
                 .max = 1000,
                 .doc = "Smallest trough on a unit's best site over the noise's sd."}),
          field("snr_max", &P::snr_max, {.min = 0, .max = 1000, .doc = "Largest."}),
          field("firing_hz", &P::firing_hz,
                {.unit = "Hz",
                 .min = 0.01,
                 .max = 100,
                 .doc = "Mean rate of a unit; each has 0.5 to 1.5 of it."}),
          field(
              "refractory_s", &P::refractory_s,
              {.unit = "s", .min = 0, .max = 0.1, .doc = "Shortest time between a unit's spikes."}),
          field("noise_uv", &P::noise_uv,
                {.unit = "uV",
                 .min = 0,
                 .max = 1000,
                 .above_min = true,
                 .doc = "Independent noise of a site, sd."}),
          field("common_uv", &P::common_uv,
                {.unit = "uV",
                 .min = 0,
                 .max = 1000,
                 .doc = "White noise that all sites share, sd."}),
          field("lfp_uv", &P::lfp_uv,
                {.unit = "uV",
                 .min = 0,
                 .max = 5000,
                 .doc = "Slow potential that all sites share, sd."}),
          field("hum_uv", &P::hum_uv,
                {.unit = "uV", .min = 0, .max = 5000, .doc = "Power line, amplitude."}),
          field("hum_hz", &P::hum_hz,
                {.unit = "Hz", .min = 1, .max = 1000, .doc = "Its frequency."}),
          field("drift_um", &P::drift_um,
                {.unit = "um", .min = 0, .max = 200, .doc = "How far units move up and down."}),
          field("drift_period_s", &P::drift_period_s,
                {.unit = "s", .min = 1, .max = 1e5, .doc = "In this time."}),
      });
}

}  // namespace weir::signal
