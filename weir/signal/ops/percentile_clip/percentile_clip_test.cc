#include "weir/signal/ops/percentile_clip/percentile_clip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value within(Value lower, Value upper) {
  return Value(Value::Object{{"lower", std::move(lower)}, {"upper", std::move(upper)}});
}

TEST(PercentileClip, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(percentile_clip_operator(), within(2.5, 97), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(PercentileClip, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/percentile_clip/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  stream.channels[1].gain = -0.5;
  struct Case {
    const char* name;
    Value params;
  };
  const Case cases[] = {{"both", within(2.5, 97)},
                        {"upper", within(nullptr, 99.9)},
                        {"lower", within(33.3, nullptr)}};
  for (const auto& [name, params] : cases) {
    Samples out = run_operator(percentile_clip_operator(), params, stream, in).samples;
    for (std::int64_t t = 0; t < out.frames; ++t) {
      out(t, 1) *= -0.5F;
    }
    testing::expect_close(
        out,
        testing::load_npy(std::string("weir/signal/ops/percentile_clip/golden/") + name + ".npy"),
        1e-7);
  }
}

TEST(PercentileClip, InterpolatesAsNumPyDoes) {
  std::vector<float> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(percentile_of(values, 0), 1);
  EXPECT_DOUBLE_EQ(percentile_of(values, 100), 4);
  EXPECT_DOUBLE_EQ(percentile_of(values, 50), 2.5);
  EXPECT_DOUBLE_EQ(percentile_of(values, 90), 3.7);
  std::vector<float> one{7};
  EXPECT_EQ(percentile_of(one, 30), 7);
}

TEST(PercentileClip, LeavesNanOutAndPassesIt) {
  Samples in =
      testing::make_samples(101, 2, [](std::int64_t t, std::int64_t) { return double(t); });
  for (std::int64_t t = 0; t < 101; ++t) {
    in(t, 1) = std::nanf("");
  }
  in(100, 0) = std::nanf("");
  const Samples out =
      run_operator(percentile_clip_operator(), within(nullptr, 50), make_stream(1000, 2, 101), in)
          .samples;
  EXPECT_EQ(out(99, 0), 49.5F);
  EXPECT_EQ(out(3, 0), 3);
  EXPECT_TRUE(std::isnan(out(100, 0)));
  EXPECT_TRUE(std::isnan(out(0, 1)));
}

TEST(PercentileClip, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      percentile_clip_operator().plan(params,
                                      {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("lower: neither it nor upper is given", Value::object());
  refused("lower: 60 % is not below upper (40 %)", within(60, 40));
  refused("upper: 101", within(nullptr, 101));
}
}  // namespace
}  // namespace weir::signal
