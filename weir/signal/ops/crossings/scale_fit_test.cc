#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "weir/core/temporary_file.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/signal/order_statistic.h"
#include "weir/signal/spread_fit.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr double kNormalMad = 0.6744897501960817;

double sorted_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Replay replay_of(const std::vector<double>& values) {
  return [&values](const std::function<void(std::span<const double>)>& receive) {
    const auto half = values.size() / 3;
    receive(std::span(values).first(half));
    receive(std::span(values).subspan(half));
  };
}

/// Hands the whole of `values` ([frames, channels]) to a fitter in uneven pieces.
std::vector<double> measure(LevelUnit unit, const StreamInfo& in, const testing::Samples& values,
                            std::size_t memory_bytes = std::size_t{1} << 30) {
  const auto fitter = make_spread_fitter(unit == LevelUnit::mad ? Spread::mad : Spread::sd, in,
                                         {memory_bytes, temporary_folder({})});
  Buffer block(SampleType::float32, 70001, in.channel_count());
  for (std::int64_t first = 0; first < values.frames;) {
    const std::int64_t count = std::min<std::int64_t>(70001 - first % 977, values.frames - first);
    for (std::int64_t f = 0; f < count; ++f) {
      for (std::int64_t c = 0; c < values.channels; ++c) {
        block.as<float>()(f, c) = values(first + f, c);
      }
    }
    fitter->add(block.first(count));
    first += count;
  }
  const Value fitted = op::finish_alone(*fitter);
  std::vector<double> scale;
  for (const Value& value : fitted.at("scale").as_array()) {
    scale.push_back(value.is_null() ? std::nan("") : value.as_number());
  }
  return scale;
}

double expected_mad(const testing::Samples& values, std::int64_t channel, double gain) {
  std::vector<double> x;
  for (std::int64_t f = 0; f < values.frames; ++f) {
    x.push_back(double{values(f, channel)} * gain);
  }
  const double middle = sorted_median(x);
  for (double& value : x) {
    value = std::fabs(value - middle);
  }
  return sorted_median(x) / kNormalMad;
}

TEST(ScaleFit, EqualsNumpyOnTheGoldenCounts) {
  const std::string golden = "weir/signal/ops/crossings/golden/";
  const testing::Samples counts = testing::load_npy(golden + "counts.npy");
  const Value scales = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + golden + "scales.json"));
  StreamInfo in = testing::make_stream(1000, counts.channels, counts.frames);
  constexpr double kGains[] = {1.0, -0.5, 0.195, -0.03};
  for (std::size_t i = 0; i < in.channels.size(); ++i) {
    in.channels[i].gain = kGains[i % 4];
  }
  const auto mad = measure(LevelUnit::mad, in, counts);
  const auto sd = measure(LevelUnit::sd, in, counts);
  for (std::size_t i = 0; i < in.channels.size(); ++i) {
    EXPECT_DOUBLE_EQ(mad[i], scales.at("mad").as_array()[i].as_number());
    EXPECT_NEAR(sd[i], scales.at("sd").as_array()[i].as_number(), 1e-14 * sd[i]);
  }
}

TEST(ScaleFit, IsExactThroughATemporaryFile) {
  constexpr std::int64_t kFrames = 600'001;
  StreamInfo in = testing::make_stream(1e5, 3, kFrames);
  in.channels[1].gain = -0.195;
  ASSERT_EQ(sample_fit_frames(in), kFrames);
  ASSERT_GT(sample_fit_temporary_bytes(in, 0), 0U);
  ASSERT_EQ(sample_fit_temporary_bytes(in, std::size_t{16} << 20), 0U);
  const testing::Samples values = testing::noise(kFrames, 3, 40);
  const auto mad = measure(LevelUnit::mad, in, values, 0);
  EXPECT_EQ(measure(LevelUnit::mad, in, values), mad);
  for (std::int64_t c = 0; c < 3; ++c) {
    EXPECT_EQ(mad[static_cast<std::size_t>(c)],
              expected_mad(values, c, in.channels[static_cast<std::size_t>(c)].gain));
  }
}

TEST(ScaleFit, IsExactForAChannelThatDoesNotFitItsMemory) {
  constexpr std::int64_t kFrames = 4'500'000;
  const StreamInfo in = testing::make_stream(1e6, 1, kFrames);
  const testing::Samples values = testing::make_samples(
      kFrames, 1, [](std::int64_t f, std::int64_t) { return double((f * 7919) % 65537) - 40000; });
  EXPECT_LT(sample_fit_bytes(in, 0) + sample_fit_task_bytes(in), std::size_t{9} << 20);
  EXPECT_EQ(measure(LevelUnit::mad, in, values, 0)[0], expected_mad(values, 0, 1));
}

/// Both ways to a median, and sorting, on the same counts.
void expect_medians(std::vector<float> counts, double gain, const std::string& what) {
  std::vector<double> values;
  for (const float count : counts) {
    values.push_back(double{count} * gain);
  }
  const auto count = static_cast<std::int64_t>(values.size());
  MedianRoom room;
  const double middle = exact_median(counts, gain, room);
  EXPECT_EQ(middle, sorted_median(values)) << what;
  EXPECT_EQ(middle, exact_median(replay_of(values), count)) << what;
  for (double& value : values) {
    value = std::fabs(value - middle);
  }
  EXPECT_EQ(exact_median_distance(counts, gain, middle, room), sorted_median(values)) << what;
}

TEST(ScaleFit, FindsMediansInMemoryWhateverTheNumbers) {
  for (const std::size_t count : {1, 2, 3, 4097, 16383, 16384, 16385, 100'000, 100'001}) {
    std::vector<float> counts(count);
    const auto fill = [&](auto number) {
      for (std::size_t i = 0; i < count; ++i) {
        counts[i] = static_cast<float>(number(i));
      }
    };
    fill([](std::size_t i) { return double((i * 7919) % 65537) - 30000; });
    expect_medians(counts, 0.195, "spread");
    expect_medians(counts, -2.5, "turned");
    fill([&](std::size_t i) { return i < count / 2 ? -3 : 5; });
    expect_medians(counts, 1, "two numbers");
    fill([](std::size_t i) { return double(i % 3) - 1; });
    expect_medians(counts, 0.1, "few numbers");
    fill([](std::size_t i) { return std::pow(1.0009, double(i % 90'001)); });
    expect_medians(counts, 1e-3, "rising steeply");
    // Low exactly where the sample looks: the bracket misses and all numbers are taken.
    const std::size_t stride = std::max<std::size_t>(count / 4096, 1);
    fill([](std::size_t i) { return 1000 + double(i % 977); });
    for (std::size_t i = 0; i < 4096 && i * stride + i * 7919 % stride < count; ++i) {
      counts[i * stride + i * 7919 % stride] = -static_cast<float>(i);
    }
    expect_medians(counts, 1, "a sample that misleads");
  }
}

TEST(ScaleFit, LeavesOutNaNAndAnswersNullForNumbersOutOfReach) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  StreamInfo in = testing::make_stream(1000, 5, 5);
  in.channels[3].gain = 0;
  in.channels[4].gain = std::nan("");
  const float rows[5][5] = {{1, kInfinity, -kInfinity, 1, 1},
                            {std::nanf(""), kInfinity, kInfinity, kInfinity, 2},
                            {3, kInfinity, 0, 5, 3},
                            {4, 0, 1, 7, 4},
                            {8, 1, 2, 9, 5}};
  const testing::Samples values = testing::make_samples(
      5, 5, [&](std::int64_t f, std::int64_t c) { return double{rows[f][c]}; });
  const auto mad = measure(LevelUnit::mad, in, values);
  EXPECT_DOUBLE_EQ(mad[0], 1.5 / kNormalMad);
  EXPECT_TRUE(std::isnan(mad[1]));
  EXPECT_DOUBLE_EQ(mad[2], 1 / kNormalMad);
  EXPECT_EQ(mad[3], 0);
  EXPECT_TRUE(std::isnan(mad[4]));
}

TEST(ScaleFit, TakesTwentyStretchesOfHalfASecond) {
  EXPECT_EQ(sample_fit_frames(testing::make_stream(30000, 1, 299'999)), 299'999);
  EXPECT_EQ(sample_fit_frames(testing::make_stream(30000, 1, 300'000)), 300'000);
  EXPECT_EQ(sample_fit_frames(testing::make_stream(30000, 1, 30'000'000)), 300'000);
  EXPECT_EQ(sample_fit_frames(testing::make_stream(360.1, 1, 1'000'000)), 20 * 181);
}

TEST(ScaleFit, SaysNullWhereNothingCanBeMeasured) {
  StreamInfo in = testing::make_stream(1000, 2, 10);
  const testing::Samples values = testing::make_samples(10, 2, [](std::int64_t f, std::int64_t c) {
    return c == 0 ? std::nan("") : static_cast<double>(f);
  });
  const auto mad = measure(LevelUnit::mad, in, values);
  EXPECT_TRUE(std::isnan(mad[0]));
  EXPECT_DOUBLE_EQ(mad[1], 2.5 / kNormalMad);
}

TEST(ScaleFit, FindsTheMedianAmongManyEqualNumbers) {
  std::vector<double> values(300'001, 1.5);
  for (std::size_t i = 0; i < 100'000; ++i) {
    values[3 * i] = i % 2 == 0 ? -2e300 : 7e-300;
  }
  EXPECT_EQ(exact_median(replay_of(values), 300'001), sorted_median(values));
  std::vector<double> halves(200'000, -0.25);
  std::fill(halves.begin() + 100'000, halves.end(), 0.5);
  EXPECT_EQ(exact_median(replay_of(halves), 200'000), 0.125);
  EXPECT_EQ(exact_median(replay_of(std::vector<double>{3}), 1), 3);
}

}  // namespace
}  // namespace weir::signal
