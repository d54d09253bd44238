#include "weir/signal/ops/scale/scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::expect_identical;
using testing::make_stream;
using testing::Samples;

Value params(double gain, double offset) {
  return Value(Value::Object{{"gain", gain}, {"offset", offset}});
}

Channel channel_of(double gain, double offset) {
  Channel channel;
  channel.gain = gain;
  channel.offset = offset;
  channel.unit = "uV";
  return channel;
}

double physical(const Channel& channel, double count) {
  return count * channel.gain + channel.offset;
}

TEST(Scale, Conforms) {
  testing::check_operator(scale_operator(), params(2.5, -1), make_stream(1000, 37, 3000),
                          {.relative = 0, .int16_input = true});
}

TEST(Scale, EqualsExactArithmeticOnPhysicalValues) {
  const Samples counts = testing::load_npy("weir/signal/ops/scale/golden/counts.npy");
  const Samples expected = testing::load_npy("weir/signal/ops/scale/golden/physical.npy");
  StreamInfo stream = make_stream(20'000, 5, counts.frames, SampleType::int16);
  for (auto& channel : stream.channels) {
    channel.gain = 0.195;
    channel.offset = -6389.76;
  }
  const Value spec = params(-2.5, 7.25);
  const auto form = scale_operator().input_form(spec, stream);
  EXPECT_EQ(form.type, SampleType::int16);
  EXPECT_FALSE(form.zero_based);
  const auto step = scale_operator().plan(spec, {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports().front().stream.type, SampleType::int16);
  EXPECT_TRUE(step->relabels_only());
  const Samples out = testing::run_operator(scale_operator(), spec, stream, counts).samples;
  expect_identical(out, counts, "the codes pass");
  for (std::int64_t t = 0; t < out.frames; ++t) {
    for (std::int64_t c = 0; c < 5; ++c) {
      const Channel& channel = step->ports().front().stream.channels[static_cast<std::size_t>(c)];
      ASSERT_NEAR(physical(channel, out(t, c)), expected(t, c), 2e-3) << t;  // golden as float32
    }
  }
}

TEST(Scale, ComposesLikeAffineMaps) {
  const Channel once = scaled({2, 3}, scaled({-5, 7}, channel_of(0.5, 1)));
  const Channel both = scaled({-10, 17}, channel_of(0.5, 1));
  EXPECT_EQ(once, both);
}

// Case C1: unsigned 12-bit codes whose offset must not be forgotten.
TEST(Scale, KeepsMicrovoltsOfMidScaleCodes) {
  const double gain = 3.05176;
  const Channel channel = scaled({}, channel_of(gain, -2048 * gain));
  EXPECT_NEAR(physical(channel, 3847), 5490.1, 0.05);
  EXPECT_NEAR(physical(scaled({1e-3, 0}, channel), 3847), 5.4901, 5e-5);
}

// Case C4: Intan counts; a gain must not act as an offset.
TEST(Scale, KeepsGainAndOffsetApart) {
  const Channel channel = channel_of(0.195, -6389.76);
  EXPECT_NEAR(physical(scaled({}, channel), 32534), -45.63, 1e-9);
  EXPECT_NEAR(physical(scaled({10, 0}, channel), 32534), -456.3, 1e-9);
  EXPECT_NEAR(physical(scaled({1, 45.63}, channel), 32534), 0, 1e-9);
}

// Case C5: samples and description change together or not at all.
TEST(Scale, ChangesTheGainInsteadOfTheSamples) {
  const Channel channel = scaled({10, 0}, channel_of(0.195, 0));
  EXPECT_DOUBLE_EQ(channel.gain, 1.95);
  EXPECT_DOUBLE_EQ(physical(channel, 100), 195);
  EXPECT_DOUBLE_EQ(physical(scaled({0.1, 0}, channel), 100), 19.5);
}

// Case C9.
TEST(Scale, KeepsANegativeGain) {
  EXPECT_DOUBLE_EQ(physical(scaled({}, channel_of(-0.03, 0)), 100), -3.0);
  EXPECT_DOUBLE_EQ(physical(scaled({-1, 0}, channel_of(-0.03, 0)), 100), 3.0);
}

TEST(Scale, NamesTheFieldThatIsWrong) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto refused = [](const std::string& part, Scale scale, double gain = 1) {
    expect_error(ErrorCode::invalid_spec, part, [&] { scaled(scale, channel_of(gain, 0)); });
  };
  refused("gain: 0 would lose", {0, 0});
  refused("gain: inf", {inf, 0});
  refused("gain: nan", {std::nan(""), 0});
  refused("offset: -inf", {1, -inf});
  refused("leaves the range", {1e300, 0}, 1e300);
  refused("leaves the range", {1e-300, 0}, 1e-300);
  expect_error(ErrorCode::invalid_spec, "gain: 0 would lose", [] {
    scale_operator().plan(params(0, 0), {.in = make_stream(1, 1, 1), .temporary_folder = {}});
  });
}
}  // namespace
}  // namespace weir::signal
