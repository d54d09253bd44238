#include "weir/signal/ops/diff/diff.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value params(std::int64_t n, const char* start) {
  return Value(Value::Object{{"n", n}, {"start", start}});
}

TEST(Diff, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(diff_operator(), params(1, "hold"), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Diff, ConformsWhereItLooksFurtherBack) {
  testing::check_operator(diff_operator(), params(3, "zero"), make_stream(1000, 37, 3000),
                          {.relative = 0});
  testing::check_operator(diff_operator(), params(8, "hold"), make_stream(1000, 5, 1000),
                          {.relative = 0});
}

// The golden data are NumPy's differences of float32 samples: not a bit may differ.
TEST(Diff, EqualsNumPyWithPrependedSamples) {
  const Samples in = testing::load_npy("weir/signal/ops/diff/golden/counts.npy");
  const StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (const char* start : {"hold", "zero"}) {
    for (const std::int64_t n : {1, 2, 5, 8}) {
      const Samples out = run_operator(diff_operator(), params(n, start), stream, in).samples;
      const Samples expected = testing::load_npy(std::string("weir/signal/ops/diff/golden/") +
                                                 start + "_" + std::to_string(n) + ".npy");
      testing::expect_close(out, expected, 0);
    }
  }
}

TEST(Diff, IsExactForCounts) {
  const Samples in = testing::make_samples(
      50, 2, [](std::int64_t t, std::int64_t c) { return (t * t * (c + 1)) % 4096 - 2048; });
  const Samples out = run_operator(diff_operator(), params(2, "zero"),
                                   make_stream(1000, 2, 50, SampleType::int16), in)
                          .samples;
  for (std::int64_t t = 2; t < 50; ++t) {
    for (std::int64_t c = 0; c < 2; ++c) {
      ASSERT_EQ(out(t, c), in(t, c) - 2 * in(t - 1, c) + in(t - 2, c));
    }
  }
}

TEST(Diff, SpreadsNanOverItsSupportAndNoFurther) {
  Samples in = testing::noise(20, 1, 10);
  in(7, 0) = std::nanf("");
  const Samples out =
      run_operator(diff_operator(), params(3, "hold"), make_stream(1, 1, 20), in).samples;
  for (std::int64_t t = 0; t < 20; ++t) {
    EXPECT_EQ(std::isnan(out(t, 0)), t >= 7 && t <= 10) << t;
  }
}

// Promise P5, case C4: 0 means 0 physical, whatever the offset.
TEST(Diff, StartsFromZeroPhysical) {
  StreamInfo stream = make_stream(1000, 1, 2, SampleType::int16);
  stream.channels[0].gain = 0.5;
  stream.channels[0].offset = -50;
  const Samples out =
      run_operator(diff_operator(), params(1, "zero"), stream, {2, 1, {110, 104}}).samples;
  EXPECT_EQ(out(0, 0), 10);
  EXPECT_EQ(out(1, 0), -6);
  const auto step = diff_operator().plan(params(1, "zero"), {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.channels[0].gain, 0.5);
  EXPECT_EQ(step->ports()[0].stream.channels[0].unit, "uV");
}

TEST(Diff, NamesWhatIsWrong) {
  testing::expect_error(ErrorCode::invalid_spec, "n: 9", [] {
    run_operator(diff_operator(), params(9, "hold"), make_stream(1, 1, 1), {1, 1, {0}});
  });
}
}  // namespace
}  // namespace weir::signal
