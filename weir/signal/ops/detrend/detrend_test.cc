#include "weir/signal/ops/detrend/detrend.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value type(const char* name) {
  return Value(Value::Object{{"type", name}});
}

Value running(double window_s) {
  return Value(Value::Object{{"scope", "running"}, {"window_s", window_s}});
}

TEST(Detrend, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(detrend_operator(), type("linear"), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Detrend, ConformsWithMeans) {
  testing::check_operator(detrend_operator(), type("constant"), make_stream(1000, 37, 3000),
                          {.relative = 0});
}

TEST(Detrend, ConformsInARunningWindow) {
  testing::check_operator(detrend_operator(), running(0.101), make_stream(1000, 37, 3000),
                          {.relative = 0});
}

TEST(Detrend, EqualsScipy) {
  const Samples in = testing::load_npy("weir/signal/ops/detrend/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  stream.channels[1].gain = -0.195;
  for (const char* name : {"linear", "constant"}) {
    const Samples out = run_operator(detrend_operator(), type(name), stream, in).samples;
    const Samples expected =
        testing::load_npy(std::string("weir/signal/ops/detrend/golden/") + name + ".npy");
    testing::expect_close(out, expected, 1e-7);
  }
  const Samples out = run_operator(detrend_operator(), running(0.051), stream, in).samples;
  testing::expect_close(out, testing::load_npy("weir/signal/ops/detrend/golden/running_51.npy"),
                        1e-7);
}

TEST(Detrend, TakesALineOffEachSegment) {
  StreamInfo stream = make_stream(1000, 1, 500);
  stream.segments.push_back(stream.segments[0]);
  stream.segments[0].frames = 300;
  stream.segments[1].frames = 200;
  stream.segments[1].start_s = Rational(10);
  stream.segments[1].index = 1;
  const Samples in = testing::make_samples(500, 1, [](std::int64_t t, std::int64_t) {
    return t < 300 ? 1e5 + 0.25 * static_cast<double>(t) : -7 - 3.0 * static_cast<double>(t);
  });
  const Samples out = run_operator(detrend_operator(), type("linear"), stream, in).samples;
  for (std::int64_t t = 0; t < 500; ++t) {
    ASSERT_NEAR(out(t, 0), 0, 1e-8) << t;
  }
}

TEST(Detrend, LeavesNanOutOfTheLine) {
  Samples in = testing::make_samples(
      100, 2, [](std::int64_t t, std::int64_t) { return 5 + 2.0 * static_cast<double>(t); });
  in(0, 0) = in(1, 0) = in(70, 0) = std::nanf("");
  for (std::int64_t t = 0; t < 100; ++t) {
    in(t, 1) = std::nanf("");
  }
  const Samples out =
      run_operator(detrend_operator(), type("linear"), make_stream(1000, 2, 100), in).samples;
  for (std::int64_t t = 0; t < 100; ++t) {
    if (t < 2 || t == 70) {
      EXPECT_TRUE(std::isnan(out(t, 0)));
    } else {
      EXPECT_NEAR(out(t, 0), 0, 1e-10);
    }
    EXPECT_TRUE(std::isnan(out(t, 1)));
  }
}

TEST(Detrend, GivesZeroForOneFrame) {
  const Samples out =
      run_operator(detrend_operator(), type("linear"), make_stream(1, 1, 1), {1, 1, {42}}).samples;
  EXPECT_EQ(out(0, 0), 0);
}

TEST(Detrend, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      detrend_operator().plan(params, {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("window_s: is required", Value(Value::Object{{"scope", "running"}}));
  refused("window_s: says nothing", Value(Value::Object{{"window_s", 1}}));
  refused("type: a running detrend has constant only",
          Value(Value::Object{{"scope", "running"}, {"window_s", 1}, {"type", "linear"}}));
}
}  // namespace
}  // namespace weir::signal
