#include "weir/signal/ops/clamp/clamp.h"

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

constexpr double kGains[] = {1.0, -1.0, 0.5, -0.03125, 2.0};  // powers of two: no rounding

Value limits(Value min, Value max) {
  return Value(Value::Object{{"min", std::move(min)}, {"max", std::move(max)}});
}

StreamInfo golden_stream(const Samples& in) {
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (std::size_t c = 0; c < 5; ++c) {
    stream.channels[c].gain = kGains[c];
  }
  return stream;
}

TEST(Clamp, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(clamp_operator(), limits(-20.5, 31.7), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Clamp, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/clamp/golden/counts.npy");
  const StreamInfo stream = golden_stream(in);
  struct Case {
    const char* name;
    Value params;
  };
  for (const auto& [name, params] :
       {Case{"both", limits(-40.0, 25.0)}, Case{"above", limits(nullptr, 10.0)},
        Case{"below", limits(-3.0, nullptr)}}) {
    Samples out = run_operator(clamp_operator(), params, stream, in).samples;
    for (std::int64_t t = 0; t < out.frames; ++t) {
      for (std::int64_t c = 0; c < out.channels; ++c) {
        out(t, c) *= static_cast<float>(kGains[c]);
      }
    }
    const Samples expected =
        testing::load_npy(std::string("weir/signal/ops/clamp/golden/") + name + ".npy");
    testing::expect_close(out, expected, 0);
  }
}

// Case C9: an inverted channel has its lower limit where its counts are greatest.
TEST(Clamp, LooksAtThePhysicalSign) {
  StreamInfo stream = make_stream(1000, 1, 3);
  stream.channels[0].gain = -0.03;
  const Samples out =
      run_operator(clamp_operator(), limits(-1.5, 3.0), stream, {3, 1, {100, -200, 20}}).samples;
  EXPECT_NEAR(out(0, 0) * -0.03, -1.5, 1e-6);
  EXPECT_NEAR(out(1, 0) * -0.03, 3.0, 1e-6);
  EXPECT_EQ(out(2, 0), 20);
}

// Promise P5, case C4: 0 means 0 physical, whatever the offset.
TEST(Clamp, TakesTheOffsetOffFirst) {
  StreamInfo stream = make_stream(1000, 1, 2, SampleType::int16);
  stream.channels[0].gain = 0.195;
  stream.channels[0].offset = -6389.76;  // 32768 counts
  const Samples out =
      run_operator(clamp_operator(), limits(-10.0, nullptr), stream, {2, 1, {32534, 32767}})
          .samples;
  EXPECT_NEAR(out(0, 0) * 0.195, -10, 1e-5);
  EXPECT_NEAR(out(1, 0) * 0.195, -0.195, 1e-3);
}

TEST(Clamp, PassesNanAndClampsInfinities) {
  const float inf = std::numeric_limits<float>::infinity();
  const Samples out = run_operator(clamp_operator(), limits(-1.0, 2.0), make_stream(1, 1, 3),
                                   {3, 1, {std::nanf(""), inf, -inf}})
                          .samples;
  EXPECT_TRUE(std::isnan(out(0, 0)));
  EXPECT_EQ(out(1, 0), 2);
  EXPECT_EQ(out(2, 0), -1);
}

TEST(Clamp, NamesTheLimitThatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      clamp_operator().plan(params, {.in = make_stream(1, 1, 1), .temporary_folder = {}});
    });
  };
  refused("min: 3 is above max (2)", limits(3.0, 2.0));
  refused("min: neither it nor max is given", Value::object());
  refused("min: nan", limits(std::nan(""), 1.0));
  refused("max: nan", limits(0.0, std::nan("")));
}
}  // namespace
}  // namespace weir::signal
