#include "weir/signal/ops/remove_saturation/remove_saturation.h"

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

Value at_level(double level, const char* mode, double before_s = 0.001, double after_s = 0.002,
               double max_blank_s = 0.02) {
  return Value(Value::Object{{"level", level},
                             {"mode", mode},
                             {"before_s", before_s},
                             {"after_s", after_s},
                             {"max_blank_s", max_blank_s}});
}

TEST(RemoveSaturation, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(remove_saturation_operator(), at_level(170, "linear"), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(RemoveSaturation, ConformsWithZeros) {
  testing::check_operator(remove_saturation_operator(), at_level(170, "zeros"),
                          make_stream(1000, 37, 2000), {.relative = 0});
}

TEST(RemoveSaturation, EqualsItsDefinitionInNumPy) {
  const std::string folder = "weir/signal/ops/remove_saturation/golden/";
  const Samples in = testing::load_npy(folder + "counts.npy");
  const StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (const char* mode : {"zeros", "linear"}) {
    const testing::Outcome outcome =
        run_operator(remove_saturation_operator(), at_level(250, mode), stream, in);
    testing::expect_close(outcome.samples, testing::load_npy(folder + mode + ".npy"), 1e-7);
    const Samples bad = testing::load_npy(folder + "bad.npy");
    std::int64_t count = 0;
    for (const float one : bad.values) {
      count += one != 0 ? 1 : 0;
    }
    EXPECT_EQ(outcome.counters[0].what, "blanked samples");
    EXPECT_EQ(outcome.counters[0].count, count);
  }
}

TEST(RemoveSaturation, GivesUpOnStretchesThatAreTooLongAndCountsThem) {
  const Samples in = testing::make_samples(100, 1, [](std::int64_t t, std::int64_t) {
    return (t >= 10 && t < 15) || (t >= 50 && t < 80) ? 1000 : 7;
  });
  const testing::Outcome outcome =
      run_operator(remove_saturation_operator(), at_level(1000, "linear", 0, 0, 0.02),
                   make_stream(1000, 1, 100), in);
  for (std::int64_t t = 0; t < 100; ++t) {
    EXPECT_EQ(outcome.samples(t, 0), t >= 50 && t < 80 ? 0 : 7) << t;
  }
  EXPECT_EQ(outcome.counters[0].count, 35);
  EXPECT_EQ(outcome.counters[1].count, 30);
}

TEST(RemoveSaturation, TakesTheOneNeighbourThereIsAtAnEnd) {
  const Samples out = run_operator(remove_saturation_operator(), at_level(9, "linear", 0, 0, 1),
                                   make_stream(1000, 2, 5), {5, 2, {9, 9, 9, 9, 3, 9, 4, 9, 9, 9}})
                          .samples;
  EXPECT_EQ(out.values, (std::vector<float>{3, 0, 3, 0, 3, 0, 4, 0, 4, 0}));
}

// Case C9: of an inverted channel the upper rail is where its counts are least.
TEST(RemoveSaturation, LooksAtThePhysicalSign) {
  StreamInfo stream = make_stream(1000, 2, 3);
  stream.channels[1].gain = -0.5;
  Value params = at_level(100, "zeros", 0, 0);
  params.set("direction", "upper");
  const Samples out = run_operator(remove_saturation_operator(), params, stream,
                                   {3, 2, {100, 200, -100, -200, 99, -199}})
                          .samples;
  EXPECT_EQ(out.values, (std::vector<float>{0, 200, -100, 0, 99, -199}));
  params.set("direction", "lower");
  params.set("level", -100);
  const Samples low = run_operator(remove_saturation_operator(), params, stream,
                                   {3, 2, {100, 200, -100, -200, 99, -199}})
                          .samples;
  EXPECT_EQ(low.values, (std::vector<float>{100, 0, 0, -200, 99, -199}));
}

TEST(RemoveSaturation, CountsInfinitiesAsSaturatedAndPassesNan) {
  const float inf = std::numeric_limits<float>::infinity();
  const Samples out = run_operator(remove_saturation_operator(), at_level(9, "zeros", 0, 0),
                                   make_stream(1000, 1, 4), {4, 1, {inf, 1, std::nanf(""), -inf}})
                          .samples;
  EXPECT_EQ(out(0, 0), 0);
  EXPECT_EQ(out(1, 0), 1);
  EXPECT_TRUE(std::isnan(out(2, 0)));
  EXPECT_EQ(out(3, 0), 0);
}

TEST(RemoveSaturation, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      remove_saturation_operator().plan(params,
                                        {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("level: -5 must be a number above 0", at_level(-5, "zeros"));
  refused("level: 5 must be a number below 0",
          Value(Value::Object{{"level", 5}, {"direction", "lower"}}));
  refused("max_blank_s: 11", at_level(5, "linear", 0, 0, 11));
}
}  // namespace
}  // namespace weir::signal
