#include "weir/signal/ops/int_cast/int_cast.h"

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

Value with(const char* field, double value) {
  return Value(Value::Object{{field, value}});
}

std::int64_t clipped(const testing::Outcome& outcome) {
  return outcome.counters.empty() ? -1 : outcome.counters.front().count;
}

TEST(IntCast, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(int_cast_operator(), with("gain", 0.003), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(IntCast, EqualsNumPysRint) {
  const Samples in = testing::load_npy("weir/signal/ops/int_cast/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  const double gains[] = {1.0, -1.0, 0.5, -0.03125, 2.0};
  for (std::size_t c = 0; c < 5; ++c) {
    stream.channels[c].gain = gains[c];
  }
  const testing::Outcome outcome =
      run_operator(int_cast_operator(), with("gain", 0.25), stream, in);
  testing::expect_close(outcome.samples,
                        testing::load_npy("weir/signal/ops/int_cast/golden/int16.npy"), 0);
  EXPECT_EQ(clipped(outcome), 10);  // as golden/make.py counts them
}

// Case C1: unsigned 12-bit codes keep their microvolts and lose their offset.
TEST(IntCast, MakesUnsignedCodesSigned) {
  StreamInfo stream = make_stream(1000, 1, 1, SampleType::int16);
  stream.channels[0].gain = 3.05176;
  stream.channels[0].offset = -2048 * 3.05176;
  const Samples out =
      run_operator(int_cast_operator(), Value::object(), stream, {1, 1, {3847}}).samples;
  EXPECT_EQ(out(0, 0), 1799);
  const auto step =
      int_cast_operator().plan(Value::object(), {.in = stream, .temporary_folder = {}});
  const Channel& channel = step->ports()[0].stream.channels[0];
  EXPECT_EQ(channel.offset, 0);
  EXPECT_NEAR(out(0, 0) * channel.gain, 5490.1, 0.05);
  EXPECT_EQ(step->ports()[0].stream.type, SampleType::int16);
}

// Case B2: halves go to the even count.
TEST(IntCast, RoundsHalvesToEven) {
  const Samples out = run_operator(int_cast_operator(), with("gain", 1), make_stream(1, 4, 1),
                                   {1, 4, {-1.5, -0.5, 0.5, 1.5}})
                          .samples;
  EXPECT_EQ(out.values, (std::vector<float>{-2, 0, 0, 2}));
}

// Case B4: what leaves the range is clipped and counted.
TEST(IntCast, ClipsAndCounts) {
  const float inf = std::numeric_limits<float>::infinity();
  const testing::Outcome outcome =
      run_operator(int_cast_operator(), with("gain", 1), make_stream(1, 3, 2),
                   {2, 3, {32772, 32767.4F, -32768, -inf, std::nanf(""), -32768.6F}});
  EXPECT_EQ(outcome.samples.values, (std::vector<float>{32767, 32767, -32768, -32768, 0, -32768}));
  EXPECT_EQ(clipped(outcome), 4);
}

// Case B11: whitened values of standard deviation 1 need a scale, and 200 gives 200 counts.
TEST(IntCast, RefusesToRoundPlainValuesUnasked) {
  expect_error(
      ErrorCode::invalid_spec, "gain: is needed, since channel \"ch0\" has plain values", [] {
        run_operator(int_cast_operator(), Value::object(), make_stream(1, 1, 1), {1, 1, {0.3F}});
      });
  StreamInfo stream = make_stream(1, 1, 20'000);
  stream.channels[0].unit = "";
  const Samples out = run_operator(int_cast_operator(), with("int_scale", 200), stream,
                                   testing::noise(20'000, 1, 1))
                          .samples;
  double sum = 0;
  for (const float value : out.values) {
    sum += static_cast<double>(value) * value;
  }
  EXPECT_NEAR(std::sqrt(sum / 20'000), 200, 3);
}

TEST(IntCast, NamesTheFieldThatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params, double gain = 1) {
    StreamInfo stream = make_stream(1, 1, 1);
    stream.channels[0].gain = gain;
    expect_error(ErrorCode::invalid_spec, part,
                 [&] { int_cast_operator().plan(params, {.in = stream, .temporary_folder = {}}); });
  };
  refused("gain: 0 is not positive", with("gain", 0));
  refused("int_scale: -2 is not positive", with("int_scale", -2));
  refused("int_scale: gain (1) is given too", Value(Value::Object{{"gain", 1}, {"int_scale", 1}}));
  refused("leaves the range of float32", with("gain", 1e-60));
}
}  // namespace
}  // namespace weir::signal
