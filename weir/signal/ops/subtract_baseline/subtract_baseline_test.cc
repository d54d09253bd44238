#include "weir/signal/ops/subtract_baseline/subtract_baseline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value first(double baseline_s, const char* statistic) {
  return Value(Value::Object{{"baseline_s", baseline_s}, {"statistic", statistic}});
}

TEST(SubtractBaseline, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(subtract_baseline_operator(), first(0.111, "mean"), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(SubtractBaseline, ConformsWithMedians) {
  testing::check_operator(subtract_baseline_operator(), first(0.05, "median"),
                          make_stream(1000, 37, 3000), {.relative = 0});
}

TEST(SubtractBaseline, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/subtract_baseline/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  stream.channels[1].gain = -0.5;
  for (const char* statistic : {"mean", "median"}) {
    for (const int frames : {100, 101, 5000}) {
      Samples out =
          run_operator(subtract_baseline_operator(), first(frames / 1000.0, statistic), stream, in)
              .samples;
      for (std::int64_t t = 0; t < out.frames; ++t) {
        out(t, 1) *= -0.5F;
      }
      const std::string path = std::string("weir/signal/ops/subtract_baseline/golden/") +
                               statistic + "_" + std::to_string(frames) + ".npy";
      testing::expect_close(out, testing::load_npy(path), 1e-7);
    }
  }
}

TEST(SubtractBaseline, MeasuresEachSegment) {
  StreamInfo stream = make_stream(10, 1, 40);
  stream.segments.push_back(stream.segments[0]);
  stream.segments[0].frames = 15;
  stream.segments[1].frames = 25;
  stream.segments[1].start_s = Rational(10);
  stream.segments[1].index = 1;
  const Samples in = testing::make_samples(40, 1, [](std::int64_t t, std::int64_t) {
    return t < 15 ? 1000.0 : -30.0 + (t > 30 ? 4 : 0);
  });
  const Samples out =
      run_operator(subtract_baseline_operator(), first(1, "mean"), stream, in).samples;
  for (std::int64_t t = 0; t < 40; ++t) {
    EXPECT_EQ(out(t, 0), t > 30 ? 4 : 0) << t;
  }
}

TEST(SubtractBaseline, LeavesNanAndInfinitiesOutOfTheBaseline) {
  const float inf = std::numeric_limits<float>::infinity();
  Samples in =
      testing::make_samples(20, 2, [](std::int64_t t, std::int64_t) { return 5.0 + double(t); });
  in(0, 0) = std::nanf("");
  in(1, 0) = inf;
  for (std::int64_t t = 0; t < 4; ++t) {
    in(t, 1) = std::nanf("");
  }
  for (const char* statistic : {"mean", "median"}) {
    const Samples out = run_operator(subtract_baseline_operator(), first(0.004, statistic),
                                     make_stream(1000, 2, 20), in)
                            .samples;
    EXPECT_TRUE(std::isnan(out(0, 0)));
    EXPECT_EQ(out(1, 0), inf);
    EXPECT_EQ(out(2, 0), -0.5);           // 7 - (7 + 8) / 2
    EXPECT_TRUE(std::isnan(out(10, 1)));  // nothing to measure
  }
}

TEST(SubtractBaseline, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      subtract_baseline_operator().plan(params,
                                        {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("baseline_s: is required", Value::object());
  refused("baseline_s: 1000000 s are over", first(1e6, "mean"));
  refused("is not one of: mean, median", first(1, "mode"));
}
}  // namespace
}  // namespace weir::signal
