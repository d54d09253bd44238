#include "weir/signal/ops/square/square.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Samples squares_of(const StreamInfo& stream, const Samples& in) {
  return run_operator(square_operator(), Value::object(), stream, in).samples;
}

TEST(Square, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(square_operator(), Value::object(), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Square, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/square/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  const double gains[] = {1.0, -1.0, 0.5, -0.03125, 2.0};  // powers of two: no rounding
  for (std::size_t c = 0; c < 5; ++c) {
    stream.channels[c].gain = gains[c];
  }
  Samples out = squares_of(stream, in);
  for (std::int64_t t = 0; t < out.frames; ++t) {
    for (std::int64_t c = 0; c < out.channels; ++c) {
      out(t, c) *= static_cast<float>(squared(stream.channels[static_cast<std::size_t>(c)]).gain);
    }
  }
  // load_npy rounds the float64 squares once, as the kernel does: not a bit may differ.
  testing::expect_close(out, testing::load_npy("weir/signal/ops/square/golden/squares.npy"), 0);
}

TEST(Square, FollowsIeeeAtTheEdges) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Samples out =
      squares_of(make_stream(1, 1, 7), {7, 1, {0, -0.0F, inf, -inf, nan, 2e19F, -3}});
  EXPECT_EQ(out(0, 0), 0);
  EXPECT_EQ(out(1, 0), 0);
  EXPECT_FALSE(std::signbit(out(1, 0)));
  EXPECT_EQ(out(2, 0), inf);
  EXPECT_EQ(out(3, 0), inf);
  EXPECT_TRUE(std::isnan(out(4, 0)));
  EXPECT_EQ(out(5, 0), inf);
  EXPECT_EQ(out(6, 0), 9);
}

// Promise P5, case C4: 0 means 0 physical, whatever the offset.
TEST(Square, TakesTheOffsetOffFirst) {
  StreamInfo stream = make_stream(1000, 1, 2, SampleType::int16);
  stream.channels[0].gain = 0.5;
  stream.channels[0].offset = -50;
  const Samples out = squares_of(stream, {2, 1, {100, 104}});
  EXPECT_EQ(out(0, 0), 0);
  EXPECT_EQ(out(1, 0) * 0.25, 4);  // (2 uV)^2
}

TEST(Square, SquaresGainAndUnitAndHasNoOffset) {
  StreamInfo in = make_stream(1000, 1, 1);
  in.channels[0].gain = -0.5;
  const auto step = square_operator().plan(Value::object(), {.in = in, .temporary_folder = {}});
  const Channel& channel = step->ports()[0].stream.channels[0];
  EXPECT_EQ(channel.gain, 0.25);
  EXPECT_EQ(channel.offset, 0);
  EXPECT_EQ(channel.unit, "uV^2");
}

TEST(Square, RefusesAGainThatHasNoSquare) {
  for (const double gain : {1e200, 1e-200}) {
    StreamInfo stream = make_stream(1, 1, 1);
    stream.channels[0].gain = gain;
    testing::expect_error(ErrorCode::invalid_spec, "channel \"ch0\" leaves the range of doubles",
                          [&] { squares_of(stream, {1, 1, {0}}); });
  }
}

TEST(Square, HasNoFields) {
  testing::expect_error(ErrorCode::invalid_spec, "power", [] {
    Value params = Value::object();
    params.set("power", 2);
    run_operator(square_operator(), params, make_stream(1, 1, 1), {1, 1, {0}});
  });
}
}  // namespace
}  // namespace weir::signal
