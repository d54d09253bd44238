#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "weir/signal/generate/generate.h"
#include "weir/signal/generate/pulse_train_internal.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {

using Settings = std::initializer_list<std::pair<const char*, double>>;

std::unique_ptr<SyntheticRecording> digitiser(Settings settings) {
  Value params = Value::object();
  for (const auto& [key, number] : settings) {
    params.set(key, number);
  }
  return generator("digitiser").make(params);
}

std::vector<std::int16_t> counts_of(const SyntheticRecording& recording, std::int64_t first,
                                    std::int64_t frames) {
  const std::int64_t channels = recording.stream().channel_count();
  std::vector<std::int16_t> counts(static_cast<std::size_t>(frames * channels));
  recording.fill(first, Block<std::int16_t>(counts.data(), frames, channels, channels));
  return counts;
}

struct Moments {
  double count = 0;
  double sum = 0;
  double squares = 0;
  double mean() const { return sum / count; }
  double sd() const { return std::sqrt(squares / count - mean() * mean()); }
  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
};

TEST(Digitiser, AnyStretchOfPulsesThatPileUpEqualsTheSameStretchOfTheWhole) {
  const auto recording =
      digitiser({{"duration_s", 0.02}, {"channels", 3}, {"pulses_hz", 1e5}, {"decay_s", 2e-5}});
  constexpr std::int64_t kFrames = 40000;  // More than two of the stretches that fill() makes.
  const auto whole = counts_of(*recording, 0, kFrames);
  for (std::int64_t first = 0; first < kFrames;) {
    const std::int64_t count = std::min<std::int64_t>(1 + first * 7 % 4099, kFrames - first);
    const auto part = counts_of(*recording, first, count);
    ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 3 * first))
        << "frames " << first << " to " << first + count;
    first += count;
  }
}

TEST(Digitiser, PulsesComeAsAPoissonProcess) {
  const PulseTrain train(key_of(3, 5), 10);
  Moments gaps;
  double before = 0;
  double longer = 0;
  train.for_each(-1000, 1e6, [&](const Arrival& arrival) {
    if (arrival.frame >= 0) {
      gaps.add(arrival.frame - before);
      longer += arrival.frame - before > 20 ? 1 : 0;
      before = arrival.frame;
    }
  });
  // 1e5 gaps: five standard errors.
  EXPECT_NEAR(gaps.count, 1e5, 1600);
  EXPECT_NEAR(gaps.sd() / gaps.mean(), 1, 0.02);
  EXPECT_NEAR(longer / gaps.count, std::exp(-2.0), 0.006);

  Moments counts;
  for (int window = 0; window < 10000; ++window) {
    double count = 0;
    train.for_each(100 * window, 100 * window + 100, [&](const Arrival&) { ++count; });
    counts.add(count);
  }
  EXPECT_EQ(counts.sum, gaps.count);
  EXPECT_NEAR(counts.sd() * counts.sd() / counts.mean(), 1, 0.07);
}

TEST(Digitiser, HeightsFollowTheLinesTheComptonEdgeAndTheBackground) {
  const auto recording = digitiser({{"duration_s", 2}, {"mv_per_kev", 0.5}});
  std::map<std::int64_t, Moments> heights;
  std::map<std::int64_t, double> highest;
  const auto events = recording->truth();
  for (const TruthEvent& event : events) {
    heights[event.unit].add(event.height / 0.5);
    highest[event.unit] = std::max(highest[event.unit], event.height / 0.5);
    EXPECT_NEAR(event.snr, event.height, 1e-9);  // Noise of 1 mV.
  }
  const auto all = static_cast<double>(events.size());
  EXPECT_NEAR(all, 8 * 2 * 5000, 1500);
  ASSERT_EQ(heights.size(), 4U);
  EXPECT_NEAR(heights[0].count / all, 0.2, 0.008);
  EXPECT_NEAR(heights[1].count / all, 0.2, 0.008);
  EXPECT_NEAR(heights[2].count / all, 0.3, 0.01);
  // sd = 0.01 * sqrt(1000 keV * energy); five standard errors.
  EXPECT_NEAR(heights[0].mean(), 1173.2, 5 * 10.83 / std::sqrt(16000));
  EXPECT_NEAR(heights[0].sd(), 10.83, 0.31);
  EXPECT_NEAR(heights[1].mean(), 1332.5, 5 * 11.54 / std::sqrt(16000));
  EXPECT_NEAR(heights[1].sd(), 11.54, 0.33);
  // Compton edges: 2E²/(mc² + 2E) = 963.4 and 1118.1 keV; evenly below, from 60 keV on.
  EXPECT_NEAR(heights[2].mean(), (60 + (963.4 + 1118.1) / 2) / 2, 8);
  EXPECT_NEAR(highest[2], 1118.1 + 15, 20);
  EXPECT_NEAR(heights[3].mean(), 860, 26);
}

TEST(Digitiser, APulseIsAsHighAsTheTruthSaysAndFallsExponentially) {
  const auto recording = digitiser(
      {{"duration_s", 2}, {"channels", 1}, {"pulses_hz", 50}, {"noise_mv", 0}, {"offset_mv", -20}});
  constexpr double kCount = 0.125;
  int seen = 0;
  for (const TruthEvent& event : recording->truth()) {
    const auto counts = counts_of(*recording, event.sample, 1001);
    const auto mv = [&](std::size_t at) { return counts[at] * kCount + 20; };
    const double before =
        recording->stream().channels[0].gain * counts_of(*recording, event.sample - 20, 1)[0] + 20;
    if (event.height < 500 || std::fabs(before) > kCount || mv(500) > mv(0) / 7) {
      continue;  // Low, or another pulse is near.
    }
    // The next sample at the most half of one away from the top.
    EXPECT_NEAR(mv(0), event.height, 0.002 * event.height + kCount);
    for (const std::size_t at : {100U, 250U, 1000U}) {
      const double expected = mv(50) * std::exp(-(static_cast<double>(at) - 50) / 250);
      EXPECT_NEAR(mv(at), expected, 2 * kCount) << at;
    }
    ++seen;
  }
  EXPECT_GT(seen, 20);
}

TEST(Digitiser, TheMeanIsThatOfPulsesThatAddUp) {
  // Campbell's theorem: offset + rate · mean height · area. Of the shape's area over its height:
  // (decay - rise) · (exp(-top/decay) - exp(-top/rise))^-1.
  const auto recording = digitiser({{"duration_s", 1},
                                    {"channels", 1},
                                    {"pulses_hz", 2e4},
                                    {"offset_mv", 5},
                                    {"mv_per_kev", 0.2}});
  Moments heights;
  for (const TruthEvent& event : recording->truth()) {
    heights.add(event.height);
  }
  const double rise = 5e-7;
  const double decay = 5e-5;
  const double top = std::log(decay / rise) * rise * decay / (decay - rise);
  const double area = (decay - rise) / (std::exp(-top / decay) - std::exp(-top / rise));
  Moments mv;
  for (const std::int16_t count : counts_of(*recording, 0, 5'000'000)) {
    mv.add(0.125 * count);
  }
  EXPECT_NEAR(mv.mean(), 5 + heights.sum * area, 0.002 * heights.sum * area);
}

TEST(Digitiser, ExponentialDecayIsCloseToItsName) {
  for (double x = 0; x < 40; x += 0.01) {
    EXPECT_NEAR(decayed(x), std::exp(-x), 1e-12);
  }
  EXPECT_EQ(decayed(1e9), 0);
}

TEST(Digitiser, NamesWhatIsWrong) {
  const auto refused = [](const char* field, Settings settings) {
    testing::expect_error(ErrorCode::invalid_spec, field, [&] { digitiser(settings); });
  };
  refused("compton_share: 0.3 and peak_share (0.8)", {{"peak_share", 0.8}});
  refused("rise_s: 1e-08 s must be half a sample", {{"rise_s", 1e-8}});
  refused("rise_s: 0.0001 s", {{"rise_s", 1e-4}});
  refused("decay_s: 0.1 s are 500000 samples", {{"decay_s", 0.1}});
  refused("peaks_kev: 1173.2 does not lie between lowest_kev (1200)", {{"lowest_kev", 1200}});
  Value params = Value::object();
  params.set("peaks_kev", Value(Value::Array{Value(661.7)}));
  testing::expect_error(ErrorCode::invalid_spec, "intensities: 2 for 1 of peaks_kev",
                        [&] { generator("digitiser").make(params); });
  params.set("intensities", Value(Value::Array{Value(0.0)}));
  testing::expect_error(ErrorCode::invalid_spec, "intensities: 0 is not above 0",
                        [&] { generator("digitiser").make(params); });
}

}  // namespace
}  // namespace weir::signal
