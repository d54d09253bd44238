#include "weir/signal/ops/zscore/zscore.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

constexpr double kGains[] = {1.0, -0.5, 0.25};

Value running(double window_s) {
  return Value(Value::Object{{"scope", "running"}, {"window_s", window_s}});
}

Value global(const char* mode, const char* fit = "sample") {
  return Value(Value::Object{{"mode", mode}, {"fit", fit}});
}

StreamInfo golden_stream(const Samples& in) {
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].gain = kGains[c];
  }
  return stream;
}

TEST(Zscore, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(zscore_operator(), Value::object(), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Zscore, ConformsWithMoments) {
  testing::check_operator(zscore_operator(), global("mean+std", "whole"),
                          make_stream(1000, 37, 3000), {.relative = 0});
}

TEST(Zscore, ConformsInARunningWindow) {
  testing::check_operator(zscore_operator(), running(0.101), make_stream(1000, 37, 3000),
                          {.relative = 0, .int16_input = true});
}

TEST(Zscore, ConformsInAWindowOverSeveralRestarts) {
  testing::check_operator(zscore_operator(), running(0.601), make_stream(1000, 5, 2000),
                          {.relative = 0});
}

TEST(Zscore, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/zscore/golden/counts.npy");
  const StreamInfo stream = golden_stream(in);
  struct Case {
    const char* name;
    Value params;
  };
  const Case cases[] = {{"median", global("median+mad")},
                        {"mean", global("mean+std")},
                        {"mean", global("mean+std", "whole")}};
  for (const auto& [name, params] : cases) {
    const Samples out = run_operator(zscore_operator(), params, stream, in).samples;
    testing::expect_close(
        out, testing::load_npy(std::string("weir/signal/ops/zscore/golden/") + name + ".npy"),
        2e-7);
  }
}

TEST(Zscore, EqualsNumPyInARunningWindow) {
  const Samples in = testing::load_npy("weir/signal/ops/zscore/golden/counts.npy");
  const StreamInfo stream = golden_stream(in);
  for (const int width : {51, 401}) {
    const Value params = running(width / 1000.0);
    Samples out = run_operator(zscore_operator(), params, stream, in).samples;
    const auto step = zscore_operator().plan(params, {.in = stream, .temporary_folder = {}});
    for (std::int64_t t = 0; t < out.frames; ++t) {
      for (std::int64_t c = 0; c < out.channels; ++c) {
        out(t, c) *=
            static_cast<float>(step->ports()[0].stream.channels[static_cast<std::size_t>(c)].gain);
      }
    }
    testing::expect_close(out,
                          testing::load_npy("weir/signal/ops/zscore/golden/running_" +
                                            std::to_string(width) + ".npy"),
                          3e-7);
  }
}

// A channel whose mean is a thousand times its spread, and one that jumps.
TEST(Zscore, KeepsItsDigitsFarFromZero) {
  const Samples in = testing::make_samples(4000, 1, [](std::int64_t t, std::int64_t) {
    return (t < 2000 ? 16384 : -131072) + static_cast<double>(t * 7919 % 257) / 16;
  });
  const Samples out =
      run_operator(zscore_operator(), running(0.257), make_stream(1000, 1, 4000), in).samples;
  // A window of 257 has every step of the pattern once.
  const double sd = std::sqrt((257.0 * 257 - 1) / 12) / 16;
  for (std::int64_t t = 200; t < 3800; ++t) {
    if (t < 1870 || t > 2130) {
      const double expected = (static_cast<double>(t * 7919 % 257) / 16 - 8) / sd;
      ASSERT_NEAR(out(t, 0), expected, 1e-6) << t;
    }
  }
}

TEST(Zscore, GivesZeroWhereNothingVaries) {
  const Samples in = testing::make_samples(300, 2, [](std::int64_t t, std::int64_t c) {
    return c == 0 ? 7 : static_cast<double>(t % 5);
  });
  const StreamInfo stream = make_stream(1000, 2, 300);
  for (const Value& params : {Value::object(), global("mean+std"), running(0.05)}) {
    const Samples out = run_operator(zscore_operator(), params, stream, in).samples;
    for (std::int64_t t = 0; t < 300; ++t) {
      ASSERT_EQ(out(t, 0), 0);
    }
    EXPECT_NE(out(150, 1), out(151, 1));
  }
}

TEST(Zscore, GivesNanInWindowsThatHoldOneAndNoFurther) {
  Samples in = testing::noise(900, 1, 10);
  in(300, 0) = std::nanf("");
  in(600, 0) = -std::numeric_limits<float>::infinity();
  const Samples out =
      run_operator(zscore_operator(), running(0.021), make_stream(1000, 1, 900), in).samples;
  for (std::int64_t t = 0; t < 900; ++t) {
    const bool reached = std::abs(t - 300) <= 10 || std::abs(t - 600) <= 10;
    EXPECT_EQ(std::isnan(out(t, 0)), reached) << t;
  }
}

TEST(Zscore, LeavesNanOutOfTheFit) {
  Samples in = testing::load_npy("weir/signal/ops/zscore/golden/counts.npy");
  in(5, 0) = std::nanf("");
  for (const char* mode : {"median+mad", "mean+std"}) {
    const Samples out =
        run_operator(zscore_operator(), global(mode), golden_stream(in), in).samples;
    EXPECT_TRUE(std::isnan(out(5, 0)));
    EXPECT_TRUE(std::isfinite(out(6, 0)));
  }
}

TEST(Zscore, GivesPlainValuesAndSaysWhatIsMeasured) {
  const auto step = zscore_operator().plan(
      Value::object(), {.in = make_stream(1000, 1, 100), .temporary_folder = {}});
  const Channel& channel = step->ports()[0].stream.channels[0];
  EXPECT_EQ(channel.unit, "");
  EXPECT_EQ(channel.gain, 1);
  EXPECT_EQ(step->decisions().front(),
            "median and MAD of each channel, measured from at most 100 frames before the run");
}

TEST(Zscore, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      zscore_operator().plan(params, {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("window_s: is required", Value(Value::Object{{"scope", "running"}}));
  refused("window_s: says nothing", Value(Value::Object{{"window_s", 1}}));
  refused("window_s: 0.001 s are 1 frames", running(0.001));
  refused("window_s: 1000000 s are over", running(1e6));
  refused("mode: a running zscore has mean+std only",
          Value(Value::Object{{"scope", "running"}, {"mode", "median+mad"}, {"window_s", 1}}));
  refused("fit: medians over the whole recording", global("median+mad", "whole"));
  refused("is not one of: median+mad, mean+std", global("mean", "sample"));
}
}  // namespace
}  // namespace weir::signal
