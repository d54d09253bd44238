#include <gtest/gtest.h>

#include <cmath>

#include "weir/compute/nvrtc.h"
#include "weir/signal/ops/iir/iir.h"
#include "weir/signal/ops/iir/iir_error.h"
#include "weir/signal/ops/iir/iir_scan_internal.h"
#include "weir/signal/ops/iir/iir_walk_cl.h"
#include "weir/signal/ops/iir/iir_zero_phase_cl.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Samples;

constexpr double kNoise = 10;
constexpr double kOffset = kAssumedDc * kNoise;

Value band(double low_hz, double high_hz, const char* mode = "zero_phase") {
  Value edges = Value::array();
  edges.push_back(low_hz);
  edges.push_back(high_hz);
  Value params = Value::object();
  params.set("band", "bandpass");
  params.set("cutoff_hz", edges);
  params.set("mode", mode);
  return params;
}

Value with(Value params, std::string_view field, Value value) {
  params.set(field, std::move(value));
  return params;
}

/// On each kind of device; one that the machine lacks is skipped.
class IirZeroPhaseOnDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = testing::device_or_skip(GetParam());
    if (device_ == nullptr && !IsSkipped()) {
      FAIL();  // the test has no body without a device
    }
  }

  Samples run(const Value& params, const Samples& in, const testing::Cuts& cuts = {}) {
    bind(params, in);
    return testing::run_on_device(bound_, data_.block(), *device_, cuts).samples;
  }
  /// The whole on the device, compared with the CPU, and the same bits for each of `cuts`.
  void expect_the_same(const Value& params, const Samples& in,
                       const std::vector<testing::Cuts>& cuts) {
    const Samples whole = run(params, in);
    expect_agreement(whole);
    for (const testing::Cuts& each : cuts) {
      testing::expect_identical(run(params, in, each), whole, "cut");
    }
  }
  void expect_agreement(const Samples& actual) const {
    const Samples expected = testing::run_bound(bound_, data_.block()).samples;
    ASSERT_EQ(actual.values.size(), expected.values.size());
    const double allowed = bound_.step->tolerance() * (4.8 * kNoise + kOffset);
    for (std::size_t i = 0; i < actual.values.size(); ++i) {
      ASSERT_NEAR(actual.values[i], expected.values[i], allowed) << "value " << i;
    }
  }
  static Samples recording(std::int64_t frames, std::int64_t channels) {
    Samples in = testing::noise(frames, channels, kNoise);
    for (float& value : in.values) {
      value += static_cast<float>(kOffset);
    }
    return in;
  }

 private:
  void bind(const Value& params, const Samples& in) {
    const auto stream = testing::make_stream(30000, in.channels, in.frames);
    bound_ = testing::bind(iir_operator(), params, stream);
    data_ = testing::formed(bound_, stream, in);
  }

  std::shared_ptr<compute::Device> device_;
  testing::BoundStep bound_;
  Buffer data_;
};

// Run-in 860: blocks of one cell. At the edges of cells, of spans and of the ring.
TEST_P(IirZeroPhaseOnDevice, GivesTheSameBitsHoweverTimeIsCut) {
  const std::int64_t cell = kScanGrid.block;
  const std::int64_t span = kScanGrid.span();
  for (const char* precision : {"float32", "float64"}) {
    expect_the_same(with(band(300, 6000), "precision", precision), recording(2 * span + 77, 3),
                    {{.frames = {cell - 1, 1, cell, cell + 1}},
                     {.frames = {33, 1, 5000}},
                     {.frames = {span - 1, 2, span, 5}},
                     {.frames = {900, 1300, 37}, .reload_state = true}});
  }
}

// Run-in 12,000 or so: blocks of three cells.
TEST_P(IirZeroPhaseOnDevice, GivesTheSameBitsWhereBlocksAreManyCells) {
  const Value slow = band(20, 300);
  const Samples in = recording(23'000, 2);
  expect_the_same(slow, in,
                  {{.frames = {1000, 3000, 77}},
                   {.frames = {9999}},
                   {.frames = {7000, 256, 801}, .reload_state = true}});
  expect_the_same(with(slow, "mode", "zero_phase_exact"), in,
                  {{.frames = {9999}}, {.frames = {7001}, .reload_state = true}});
}

TEST_P(IirZeroPhaseOnDevice, TakesTurnsWithTheCpu) {
  for (const auto& params : {band(300, 6000), band(20, 300), band(20, 300, "zero_phase_exact")}) {
    const Samples in = recording(23'000, 2);
    expect_agreement(run(params, in, {.frames = {4196, 500, 3000}, .in_turns = true}));
  }
}

TEST_P(IirZeroPhaseOnDevice, TakesSegmentsJustLongerThanTheirExtension) {
  for (const std::int64_t frames : {34, 35, 255, 256, 257, 512}) {
    for (const char* mode : {"zero_phase", "zero_phase_exact"}) {
      expect_the_same(band(300, 6000, mode), recording(frames, 3),
                      {{.frames = {1}}, {.frames = {20}, .reload_state = true}});
    }
  }
}

TEST_P(IirZeroPhaseOnDevice, AgreesForAnyNumberOfSections) {
  for (const std::int64_t order : {1, 11}) {
    expect_agreement(run(with(band(300, 6000), "order", order), recording(3000, 33)));
  }
}

// As on the CPU: from a NaN on to the end, back by the latency, in its channel alone.
TEST_P(IirZeroPhaseOnDevice, KeepsNaNInItsChannelAndReach) {
  const Samples clean = recording(6000, 3);
  Samples in = clean;
  in(3000, 1) = std::nanf("");
  const Samples out = run(band(300, 6000), in);
  const Samples expected = run(band(300, 6000), clean);
  for (std::int64_t frame = 0; frame < in.frames; ++frame) {
    ASSERT_EQ(out(frame, 0), expected(frame, 0)) << frame;
    ASSERT_EQ(out(frame, 2), expected(frame, 2)) << frame;
    if (frame < 3000 - 5 * kScanGrid.block) {
      ASSERT_EQ(out(frame, 1), expected(frame, 1)) << frame;
    } else if (frame >= 3000) {
      ASSERT_TRUE(std::isnan(out(frame, 1))) << frame;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, IirZeroPhaseOnDevice, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& target) { return std::string(target.param); });

// What compute's own test compiles is the text without constants.
TEST(IirZeroPhaseScan, CompilesForCudaForEachNumberOfSections) {
  const compute::Nvrtc* nvrtc = compute::Nvrtc::open();
  if (nvrtc == nullptr) {
    ASSERT_FALSE(testing::is_required("nvrtc")) << compute::Nvrtc::why_not();
    GTEST_SKIP() << compute::Nvrtc::why_not();
  }
  for (const std::int64_t sections : {1, 5, 8}) {
    const compute::Constant constants[] = {
        {"SECTIONS", sections}, {"MOST", sections}, {"AHEAD", sections > 5 ? 16 : 32}};
    for (const auto* source : {&kernels::kIirZeroPhase, &kernels::kIirWalk}) {
      const std::size_t known = source == &kernels::kIirWalk ? 2 : 3;
      const std::string text = compute::specialised(*source, std::span(constants).first(known));
      const compute::KernelSource special{source->file, text, source->entries};
      for (const auto real : {compute::Real::float32, compute::Real::float64}) {
        const std::string ptx = nvrtc->compile(special, real, "compute_80");
        EXPECT_EQ(ptx.find(".local"), std::string::npos) << sections << " sections leave registers";
      }
    }
  }
}

}  // namespace
}  // namespace weir::signal
