#include "weir/signal/ops/rectify/rectify.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value mode(const char* name) {
  return Value(Value::Object{{"mode", name}});
}

TEST(Rectify, Conforms) {
  for (const char* name : {"full", "half"}) {
    StreamInfo stream = make_stream(1000, 37, 3000);
    stream.channels[3].gain = -0.5;
    testing::check_operator(rectify_operator(), mode(name), stream,
                            {.relative = 0, .int16_input = true});
  }
}

TEST(Rectify, EqualsNumPyOnPhysicalValues) {
  const Samples in = testing::load_npy("weir/signal/ops/rectify/golden/counts.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  const double gains[] = {1.0, -1.0, 0.5, -0.03125, 2.0};  // powers of two: no rounding
  for (std::size_t c = 0; c < 5; ++c) {
    stream.channels[c].gain = gains[c];
  }
  for (const char* name : {"full", "half"}) {
    Samples out = run_operator(rectify_operator(), mode(name), stream, in).samples;
    for (std::int64_t t = 0; t < out.frames; ++t) {
      for (std::int64_t c = 0; c < out.channels; ++c) {
        out(t, c) *= static_cast<float>(gains[c]);
      }
    }
    const std::string path = std::string("weir/signal/ops/rectify/golden/") + name + ".npy";
    testing::expect_close(out, testing::load_npy(path), 0);
  }
}

// Case C9: an inverted channel (gain -0.03) has its spikes on the other side of the counts.
TEST(Rectify, LooksAtThePhysicalSign) {
  StreamInfo stream = make_stream(1000, 2, 1);
  stream.channels[1].gain = -0.03;
  const Samples in{1, 2, {100, 100}};
  const Samples half = run_operator(rectify_operator(), mode("half"), stream, in).samples;
  EXPECT_EQ(half(0, 0), 100);
  EXPECT_EQ(half(0, 1), 0);  // -3 uV
  const Samples full = run_operator(rectify_operator(), mode("full"), stream, in).samples;
  EXPECT_FLOAT_EQ(static_cast<float>(full(0, 1) * stream.channels[1].gain), 3.0F);
}

// Promise P5, case C4: 0 means 0 physical, whatever the offset.
TEST(Rectify, TakesTheOffsetOffFirst) {
  StreamInfo stream = make_stream(1000, 1, 2, SampleType::int16);
  stream.channels[0].gain = 0.195;
  stream.channels[0].offset = -6389.76;  // 32768 counts
  const Samples in{2, 1, {32534, 32767}};
  const Samples out = run_operator(rectify_operator(), mode("full"), stream, in).samples;
  EXPECT_NEAR(out(0, 0) * 0.195, 45.63, 1e-3);
  EXPECT_NEAR(out(1, 0) * 0.195, 0.195, 1e-3);
}

TEST(Rectify, NamesTheModeThatIsWrong) {
  testing::expect_error(ErrorCode::invalid_spec, "\"both\" is not one of: full, half", [] {
    run_operator(rectify_operator(), mode("both"), make_stream(1, 1, 1), {1, 1, {0}});
  });
}
}  // namespace
}  // namespace weir::signal
