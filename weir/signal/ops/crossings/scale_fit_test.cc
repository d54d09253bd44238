#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "weir/core/temporary_file.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/signal/ops/crossings/order_statistic_internal.h"
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
std::vector<double> measure(LevelUnit unit, const StreamInfo& in, const testing::Samples& values) {
  const auto fitter = make_scale_fitter(unit, in, temporary_folder({}));
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
  const Value fitted = fitter->finish();
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
  ASSERT_EQ(scale_fit_frames(in), kFrames);
  ASSERT_GT(scale_fit_temporary_bytes(in), 0U);
  const testing::Samples values = testing::noise(kFrames, 3, 40);
  const auto mad = measure(LevelUnit::mad, in, values);
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
  EXPECT_LT(scale_fit_bytes(in), std::size_t{12} << 20);
  EXPECT_EQ(measure(LevelUnit::mad, in, values)[0], expected_mad(values, 0, 1));
}

TEST(ScaleFit, TakesTwentyStretchesOfHalfASecond) {
  EXPECT_EQ(scale_fit_frames(testing::make_stream(30000, 1, 299'999)), 299'999);
  EXPECT_EQ(scale_fit_frames(testing::make_stream(30000, 1, 300'000)), 300'000);
  EXPECT_EQ(scale_fit_frames(testing::make_stream(30000, 1, 30'000'000)), 300'000);
  EXPECT_EQ(scale_fit_frames(testing::make_stream(360.1, 1, 1'000'000)), 20 * 181);
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
