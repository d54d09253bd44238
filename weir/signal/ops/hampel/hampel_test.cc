#include "weir/signal/ops/hampel/hampel.h"

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

Value of(std::int64_t width, double n_sigma) {
  return Value(Value::Object{{"width", width}, {"n_sigma", n_sigma}});
}

TEST(Hampel, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(hampel_operator(), of(7, 1.5), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Hampel, ConformsInWideWindows) {
  testing::check_operator(hampel_operator(), of(41, 1), make_stream(1000, 37, 1500),
                          {.relative = 0});
}

TEST(Hampel, EqualsItsDefinitionInNumPy) {
  const Samples in = testing::load_npy("weir/signal/ops/hampel/golden/counts.npy");
  const StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (const int width : {3, 7, 31}) {
    const testing::Outcome outcome = run_operator(hampel_operator(), of(width, 3), stream, in);
    const std::string name = "width_" + std::to_string(width);
    const Samples expected = testing::load_npy("weir/signal/ops/hampel/golden/" + name + ".npy");
    testing::expect_close(outcome.samples, expected, 0);
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < in.values.size(); ++i) {
      changed += expected.values[i] != in.values[i] ? 1 : 0;
    }
    EXPECT_GT(changed, 10);
    EXPECT_EQ(outcome.counters.front().count, changed);
    EXPECT_EQ(outcome.counters.front().what, "replaced samples");
  }
}

TEST(Hampel, LeavesTheEndsAlone) {
  const Samples out = run_operator(hampel_operator(), of(5, 3), make_stream(1, 1, 8),
                                   {8, 1, {99, 1, 2, 77, 2, 1, 2, -99}})
                          .samples;
  EXPECT_EQ(out.values, (std::vector<float>{99, 1, 2, 2, 2, 1, 2, -99}));
  // Shorter than its window: all are ends.
  const Samples few =
      run_operator(hampel_operator(), of(5, 3), make_stream(1, 1, 4), {4, 1, {9, 1, 99, 2}})
          .samples;
  EXPECT_EQ(few.values, (std::vector<float>{9, 1, 99, 2}));
}

TEST(Hampel, ReplacesInfinitiesAndLeavesWindowsWithNanAlone) {
  const float inf = std::numeric_limits<float>::infinity();
  Samples in = testing::noise(60, 1, 1);
  in(20, 0) = inf;
  in(40, 0) = std::nanf("");
  in(42, 0) = 1000;
  in(44, 0) = 1000;
  const Samples out = run_operator(hampel_operator(), of(7, 3), make_stream(1, 1, 60), in).samples;
  EXPECT_TRUE(std::isfinite(out(20, 0)));
  EXPECT_TRUE(std::isnan(out(40, 0)));
  EXPECT_EQ(out(42, 0), 1000);  // 3 from the NaN at most: in its window
  EXPECT_LT(out(44, 0), 10);
}

TEST(Hampel, NamesWhatIsWrong) {
  const auto refused = [](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      hampel_operator().plan(params, {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("width: 8 is even and has no middle; try 7 or 9", of(8, 3));
  refused("width: 1", of(1, 3));
  refused("width: 1003", of(1003, 3));
  refused("n_sigma: -1", of(7, -1));
}
}  // namespace
}  // namespace weir::signal
