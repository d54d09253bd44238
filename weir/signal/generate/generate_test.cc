#include "weir/signal/generate/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "weir/core/buffer.h"
#include "weir/core/text.h"
#include "weir/signal/generate/counter_random.h"
#include "weir/signal/generate/smooth_internal.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {

Value params_of(std::initializer_list<std::pair<const char*, double>> numbers) {
  Value params = Value::object();
  for (const auto& [key, number] : numbers) {
    params.set(key, number);
  }
  return params;
}

std::vector<std::int16_t> samples_of(const SyntheticRecording& recording, std::int64_t first,
                                     std::int64_t frames) {
  const std::int64_t channels = recording.stream().channel_count();
  std::vector<std::int16_t> samples(static_cast<std::size_t>(frames * channels));
  recording.fill(first, Block<std::int16_t>(samples.data(), frames, channels, channels));
  return samples;
}

std::uint64_t checksum(const std::vector<std::int16_t>& samples) {
  std::uint64_t sum = 0;
  for (const std::int16_t sample : samples) {
    sum = mixed(sum ^ static_cast<std::uint16_t>(sample));
  }
  return sum;
}

TEST(Generate, AnyStretchAloneEqualsTheSameStretchOfTheWhole) {
  for (const auto& kind : generators()) {
    const auto recording = kind.make(params_of({{"duration_s", 8}}));
    const std::int64_t channels = recording->stream().channel_count();
    const std::int64_t frames = std::min<std::int64_t>(2500, recording->stream().total_frames());
    const auto whole = samples_of(*recording, 0, frames);
    for (std::int64_t first = 0; first < frames;) {
      const std::int64_t count = std::min<std::int64_t>(1 + first * 7 % 611, frames - first);
      const auto part = samples_of(*recording, first, count);
      ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + first * channels))
          << kind.name << ", frames " << first << " to " << first + count;
      first += count;
    }
  }
}

TEST(Generate, SeedsGiveOtherRecordings) {
  for (const char* name : {"neuropixels", "ecg", "digitiser", "noise"}) {
    const auto first = generator(name).make(params_of({{"duration_s", 1}, {"seed", 1}}));
    const auto second = generator(name).make(params_of({{"duration_s", 1}, {"seed", 2}}));
    EXPECT_NE(samples_of(*first, 0, 300), samples_of(*second, 0, 300)) << name;
  }
}

TEST(Generate, GivesTheSameBitsOnEveryMachine) {
  const std::map<std::string, std::uint64_t> expected{{"neuropixels", 8248457481925591065U},
                                                      {"ecg", 18180084678850665850U},
                                                      {"digitiser", 15380623324052221485U},
                                                      {"sine", 8259590734497993900U},
                                                      {"noise", 13909125789774112546U}};
  for (const auto& [name, sum] : expected) {
    const auto recording = generator(name).make(params_of({{"duration_s", 8}}));
    EXPECT_EQ(checksum(samples_of(*recording, 400, 2000)), sum) << name;
  }
}

TEST(Generate, UnitsKeepTheirRefractoryPeriodAndFireAboutAsOftenAsAsked) {
  const auto recording =
      generator("neuropixels")
          .make(params_of({{"duration_s", 60}, {"units", 20}, {"firing_hz", 8}}));
  std::map<std::int64_t, std::vector<std::int64_t>> trains;
  for (const auto& event : recording->truth()) {
    trains[event.unit].push_back(event.sample);
  }
  ASSERT_EQ(trains.size(), 20U);
  std::size_t spikes = 0;
  for (const auto& [unit, train] : trains) {
    spikes += train.size();
    for (std::size_t i = 1; i < train.size(); ++i) {
      EXPECT_GE(train[i] - train[i - 1], 60) << "unit " << unit;
    }
  }
  EXPECT_NEAR(static_cast<double>(spikes), 20 * 60 * 8, 0.15 * 20 * 60 * 8);
}

TEST(Generate, SpikesStandWhereTheTruthSaysWithTheHeightItSays) {
  const Value params = params_of({{"duration_s", 20},
                                  {"units", 3},
                                  {"common_uv", 0},
                                  {"lfp_uv", 0},
                                  {"hum_uv", 0},
                                  {"noise_uv", 5},
                                  {"snr_min", 20},
                                  {"channels", 64}});
  const auto recording = generator("neuropixels").make(params);
  double deepest = 0;
  double stated = 0;
  int count = 0;
  for (const auto& event : recording->truth()) {
    if (event.sample < 50 || event.sample > 590000) {
      continue;
    }
    const auto row = samples_of(*recording, event.sample, 1);
    const double uv = 2.34375 * row[static_cast<std::size_t>(event.channel)];
    EXPECT_LT(uv, -5 * (event.snr - 7)) << "unit " << event.unit << " at " << event.sample;
    deepest += uv;
    stated -= 5 * event.snr;
    ++count;
  }
  ASSERT_GT(count, 100);
  EXPECT_NEAR(deepest / stated, 1, 0.03);
}

TEST(Generate, ProbeHasTwoStaggeredColumnsAndItsGain) {
  const auto recording = generator("neuropixels").make(params_of({{"duration_s", 1}}));
  const auto& channels = recording->stream().channels;
  ASSERT_EQ(channels.size(), 384U);
  EXPECT_EQ(channels[0].gain, 2.34375);
  EXPECT_EQ(channels[0].position, (std::array<double, 3>{43, 0, 0}));
  EXPECT_EQ(channels[383].position, (std::array<double, 3>{27, 3820, 0}));
}

TEST(Generate, BeatsAreWhereTheLeadIsLargestAndVary) {
  const auto recording = generator("ecg").make(
      params_of({{"duration_s", 120}, {"wander_mv", 0}, {"noise_mv", 0.005}}));
  const auto beats = recording->truth();
  ASSERT_NEAR(static_cast<double>(beats.size()), 144, 6);
  std::set<std::int64_t> gaps;
  for (std::size_t i = 1; i + 1 < beats.size(); ++i) {
    gaps.insert(beats[i].sample - beats[i - 1].sample);
    if (beats[i].unit == 0) {
      const auto around = samples_of(*recording, beats[i].sample - 30, 61);
      std::size_t best = 0;
      for (std::size_t frame = 0; frame < 61; ++frame) {
        best = around[2 * frame] > around[2 * best] ? frame : best;
      }
      EXPECT_NEAR(static_cast<double>(best), 30, 2);
      EXPECT_NEAR((around[2 * best] - 1024) * 0.005, 1.15, 0.35);
    }
  }
  EXPECT_GT(gaps.size(), 20U);
}

TEST(Generate, SineIsASine) {
  const auto recording = generator("sine").make(
      params_of({{"duration_s", 1}, {"rate_hz", 1000}, {"channels", 4}, {"frequency_hz", 10}}));
  const auto samples = samples_of(*recording, 0, 1000);
  for (std::int64_t frame = 0; frame < 1000; ++frame) {
    for (std::int64_t channel = 0; channel < 4; ++channel) {
      const double turn = static_cast<double>(frame) / 100 + static_cast<double>(channel) / 4;
      EXPECT_NEAR(samples[static_cast<std::size_t>(4 * frame + channel)],
                  1000 / 0.195 * std::sin(6.283185307179586 * turn), 0.53);
    }
  }
}

TEST(Generate, FastNoiseIsNearlyNormal) {
  double sum = 0;
  double square = 0;
  double fourth = 0;
  constexpr int kCount = 1'000'000;
  for (int i = 0; i < kCount; ++i) {
    const double x = byte_normal(key_of(1, 2), static_cast<std::uint64_t>(i));
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.004);
  EXPECT_NEAR(square / kCount, 1, 0.006);
  EXPECT_NEAR(fourth / kCount, 3 - 0.075, 0.03);
}

TEST(Generate, BellAndSineAreCloseToTheirNames) {
  for (double x = -7; x < 7; x += 0.01) {
    EXPECT_NEAR(bell(x), std::exp(-x * x / 2), 0.003);
  }
  for (double turn = 0; turn < 1; turn += 0.001) {
    EXPECT_NEAR(sine_of_turn(turn), std::sin(6.283185307179586 * turn), 4e-6);
  }
}

TEST(Generate, NamesWhatIsWrong) {
  testing::expect_error(ErrorCode::not_found, "neuropixels", [] { generator("neuropixel"); });
  testing::expect_error(ErrorCode::invalid_spec, "duration_s",
                        [] { generator("ecg").make(params_of({{"duration_s", 0}})); });
  testing::expect_error(ErrorCode::invalid_spec, "snr_max", [] {
    generator("neuropixels").make(params_of({{"snr_min", 9}, {"snr_max", 8}}));
  });
  testing::expect_error(ErrorCode::invalid_spec, "seed",
                        [] { generator("noise").make(params_of({{"sed", 9}})); });
}

TEST(Generate, TruthIsATable) {
  const std::string path = ::testing::TempDir() + "/weir.truth.csv";
  const TruthEvent events[] = {{3, 17, 1234, 8.25, 57.75}};
  write_truth(path, events);
  EXPECT_EQ(read_text_file(path), "unit,channel,sample,snr,height\n3,17,1234,8.250,57.75\n");
}

}  // namespace
}  // namespace weir::signal
