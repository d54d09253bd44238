#include "weir/signal/ops/log/log.h"

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

Value params(const char* base, double floor) {
  return Value(Value::Object{{"base", base}, {"floor", floor}});
}

TEST(Log, Conforms) {
  for (const char* base : {"natural", "10", "dB"}) {
    StreamInfo stream = make_stream(1000, 37, 3000);
    stream.channels[3].gain = -0.5;
    testing::check_operator(log_operator(), params(base, 0.01), stream,
                            {.relative = 0, .int16_input = true});
  }
}

TEST(Log, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/log/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  const double gains[] = {1.0, -1.0, 0.5, -0.03125, 1e-3};
  for (std::size_t c = 0; c < 5; ++c) {
    stream.channels[c].gain = gains[c];
  }
  struct Case {
    const char* base;
    const char* name;
  };
  for (const auto& [base, name] :
       {Case{"natural", "natural"}, Case{"10", "ten"}, Case{"dB", "db"}}) {
    const Samples out = run_operator(log_operator(), params(base, 1e-30), stream, in).samples;
    const Samples expected =
        testing::load_npy(std::string("weir/signal/ops/log/golden/") + name + ".npy");
    testing::expect_close(out, expected, 2e-7);
    for (std::int64_t t = 0; t < out.frames; ++t) {
      for (std::int64_t c = 0; c < out.channels; ++c) {
        // Each by itself: where |x| is near 1 the logarithm is small.
        ASSERT_NEAR(out(t, c), expected(t, c), 3e-7 * std::fabs(expected(t, c)) + 1e-12)
            << name << ", frame " << t << ", channel " << c << ", count " << in(t, c);
      }
    }
  }
}

TEST(Log, CountsSmallMagnitudesAsTheFloor) {
  const float inf = std::numeric_limits<float>::infinity();
  const Samples out = run_operator(log_operator(), params("10", 0.01), make_stream(1, 1, 6),
                                   {6, 1, {0, 1e-5F, -0.1F, std::nanf(""), -inf, inf}})
                          .samples;
  EXPECT_FLOAT_EQ(out(0, 0), -2);
  EXPECT_FLOAT_EQ(out(1, 0), -2);
  EXPECT_FLOAT_EQ(out(2, 0), -1);
  EXPECT_TRUE(std::isnan(out(3, 0)));
  EXPECT_EQ(out(4, 0), inf);
  EXPECT_EQ(out(5, 0), inf);
}

// Promise P5: decibels of the physical value, whatever gain and offset its counts have.
TEST(Log, MeasuresPhysicalValues) {
  StreamInfo stream = make_stream(1000, 1, 2, SampleType::int16);
  stream.channels[0].gain = 0.5;
  stream.channels[0].offset = -50;
  const auto step = log_operator().plan(params("dB", 1e-3), {.in = stream, .temporary_folder = {}});
  const Channel& channel = step->ports()[0].stream.channels[0];
  EXPECT_EQ(channel.unit, "dB(uV)");
  EXPECT_EQ(channel.gain, 1);
  EXPECT_EQ(channel.offset, 0);
  const Samples out =
      run_operator(log_operator(), params("dB", 1e-3), stream, {2, 1, {300, -100}}).samples;
  EXPECT_FLOAT_EQ(out(0, 0), 40);  // 100 uV
  EXPECT_FLOAT_EQ(out(1, 0), 40);  // -100 uV
}

TEST(Log, NamesUnits) {
  Channel channel;
  channel.unit = "uV^2";
  EXPECT_EQ(logarithmic(LogBase::natural, channel).unit, "ln(uV^2)");
  EXPECT_EQ(logarithmic(LogBase::ten, channel).unit, "log10(uV^2)");
  channel.unit = "";
  EXPECT_EQ(logarithmic(LogBase::natural, channel).unit, "");
  EXPECT_EQ(logarithmic(LogBase::decibel, channel).unit, "dB");
}

TEST(Log, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& spec, double gain) {
    StreamInfo stream = make_stream(1, 1, 1);
    stream.channels[0].gain = gain;
    expect_error(ErrorCode::invalid_spec, part,
                 [&] { log_operator().plan(spec, {.in = stream, .temporary_folder = {}}); });
  };
  refused("floor: 1e-60 is not between", params("natural", 1e-60), 1);
  refused("\"2\" is not one of: natural, 10, dB", params("2", 1), 1);
  refused("the gain 0 of channel \"ch0\"", params("10", 1), 0);
  refused("floor: is required", Value::object(), 1);
}
}  // namespace
}  // namespace weir::signal
