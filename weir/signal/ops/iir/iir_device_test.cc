#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/compute/nvrtc.h"
#include "weir/signal/ops/iir/iir.h"
#include "weir/signal/ops/iir/iir_cl.h"
#include "weir/signal/ops/iir/iir_error.h"
#include "weir/signal/ops/iir/iir_scan_internal.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Samples;

constexpr double kNoise = 10;
constexpr double kOffset = kAssumedDc * kNoise;

/// Noise on an offset that filters must keep out.
Samples recording(std::int64_t frames, std::int64_t channels) {
  Samples in = testing::noise(frames, channels, kNoise);
  for (float& value : in.values) {
    value += static_cast<float>(kOffset);
  }
  return in;
}

/// On each kind of device; one that the machine lacks is skipped.
class IirOnDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = testing::device_or_skip(GetParam());
    if (device_ == nullptr && !IsSkipped()) {
      FAIL();  // the test has no body without a device
    }
  }

  Samples run(const Samples& in, const testing::Cuts& cuts = {}) const {
    return testing::run_on_device(bound_, data_of(in).block(), *device_, cuts).samples;
  }
  Samples run_on_cpu(const Samples& in) const {
    return testing::run_bound(bound_, data_of(in).block()).samples;
  }
  void bind(const Value& params, const Samples& in) {
    stream_ = testing::make_stream(30000, in.channels, in.frames);
    bound_ = testing::bind(iir_operator(), params, stream_);
  }
  double tolerance() const { return bound_.step->tolerance(); }
  /// Within the stated tolerance of the full scale of `recording`.
  void expect_agreement(const Samples& actual, const Samples& expected) const {
    ASSERT_EQ(actual.values.size(), expected.values.size());
    const double allowed = tolerance() * (4.8 * kNoise + kOffset);
    for (std::size_t i = 0; i < actual.values.size(); ++i) {
      ASSERT_NEAR(actual.values[i], expected.values[i], allowed) << "value " << i;
    }
  }

  std::shared_ptr<compute::Device> device_;

 private:
  Buffer data_of(const Samples& in) const { return testing::formed(bound_, stream_, in); }

  StreamInfo stream_;
  testing::BoundStep bound_;
};

Value band(double low_hz, double high_hz, const char* precision = "auto", std::int64_t order = 5) {
  Value edges = Value::array();
  edges.push_back(low_hz);
  edges.push_back(high_hz);
  Value params = Value::object();
  params.set("band", "bandpass");
  params.set("cutoff_hz", edges);
  params.set("order", order);
  params.set("precision", precision);
  return params;
}

Value with_steady_start(Value params) {
  params.set("start", "steady");
  return params;
}

// Before, on and after the edges of blocks and spans, within them and over many.
TEST_P(IirOnDevice, GivesTheSameBitsHoweverTimeIsCut) {
  const std::int64_t block = kScanGrid.block;
  const std::int64_t span = kScanGrid.span();
  const Samples in = recording(2 * span + 3 * block + 77, 3);
  for (const auto& params : {band(300, 6000, "float32"), with_steady_start(band(1, 300))}) {
    bind(params, in);
    const Samples whole = run(in);
    expect_agreement(whole, run_on_cpu(in));
    for (const auto& cuts : std::vector<testing::Cuts>{
             {.frames = {block - 1, 1, block, block + 1}},
             {.frames = {span - 1, 2, span, 5}},
             {.frames = {span + block, 100, 2 * block + 28}},
             {.frames = {block - 56, 3 * block, 13, 43}, .reload_state = true},
             {.frames = {span - block - 9, 9, 2 * block}, .reload_state = true}}) {
      testing::expect_identical(run(in, cuts), whole, "cut");
    }
  }
}

TEST_P(IirOnDevice, AgreesWithTheCpuForAnyNumberOfSectionsAndChannels) {
  for (const auto& [order, channels] : {std::pair{1, 1}, {3, 130}, {7, 2}, {11, 33}}) {
    const Samples in = recording(900, channels);
    for (const char* precision : {"float32", "float64"}) {
      bind(band(300, 6000, precision, order), in);
      expect_agreement(run(in), run_on_cpu(in));
    }
  }
}

// The states of this filter last for hundreds of blocks. The input is golden/make.py's `steps`.
TEST_P(IirOnDevice, AgreesWithSciPyWhereTheFilterIsSlow) {
  const Samples expected = testing::load_npy("weir/signal/ops/iir/golden/slow.npy");
  std::uint32_t state = 1;
  const Samples in = testing::make_samples(31 * expected.frames, 1, [&](auto, auto) {
    state = state * 1664525U + 1013904223U;
    return 500.0 + (state >> 8) % 1000;
  });
  for (const char* precision : {"float32", "float64"}) {
    bind(band(0.1, 10, precision), in);
    const Samples out = run(in);
    const Samples some =
        testing::make_samples(expected.frames, 1, [&](auto t, auto) { return out(31 * t, 0); });
    testing::expect_close(some, expected, tolerance());
  }
}

TEST_P(IirOnDevice, TakesTurnsWithTheCpuInTheMiddleOfABlock) {
  const Samples in = recording(3 * kScanGrid.span(), 2);
  bind(band(300, 6000), in);
  expect_agreement(run(in, {.frames = {kScanGrid.span() + 100, 500}, .in_turns = true}),
                   run_on_cpu(in));
}

TEST_P(IirOnDevice, CarriesNaNToTheEndOfItsChannelAlone) {
  const std::int64_t frames = 2 * kScanGrid.span() + 100;
  const std::int64_t first = kScanGrid.block + 10;
  const Samples clean = recording(frames, 3);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Samples in = clean;
    in(first, 1) = bad;
    bind(band(300, 6000), in);
    const Samples out = run(in);
    const Samples expected = run(clean);
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      ASSERT_EQ(out(frame, 0), expected(frame, 0)) << frame;
      ASSERT_EQ(out(frame, 2), expected(frame, 2)) << frame;
      if (frame < first) {
        ASSERT_EQ(out(frame, 1), expected(frame, 1)) << frame;
      } else {
        ASSERT_FALSE(std::isfinite(out(frame, 1))) << frame;
      }
    }
  }
}

// A call chooses between them by how much it has to do, so they must not differ in a bit.
TEST_P(IirOnDevice, SumsTheSameBitsOneOrTwoBlocksAnItem) {
  constexpr std::int32_t kChannels = 3;
  const auto block = static_cast<std::int32_t>(kScanGrid.block);
  const std::int64_t frames = 5 * kScanGrid.block + 20;
  const Samples in = recording(frames, kChannels);
  const double edges[] = {300, 6000};
  const Sections sections = butterworth(Band::bandpass, 5, edges, 30000);
  const auto tables = scan_tables(sections, kScanGrid);
  const auto queue = device_->make_queue();
  const auto x = device_->allocate(*queue, in.values);
  const auto table =
      device_->allocate(*queue, std::vector<float>(tables.left.begin(), tables.left.end()));
  const std::int64_t state = 10 * kChannels;
  std::vector<std::vector<float>> sums;
  for (const char* entry : {"iir_sum", "iir_sum_two"}) {
    const auto work = device_->allocate(*queue, std::vector<float>(8 * state, 1.5F));
    const auto kernel = device_->kernel(kernels::kIir, entry, {{"SECTIONS", 5}, {"MOST", 5}});
    queue->launch(kernel, {.items = {6 * kChannels, 1}},
                  {x, std::int64_t{0}, std::int64_t{kChannels}, table, work, 2 * state,
                   std::int64_t{0}, state, frames, 7, block, kChannels, 5});
    sums.push_back(queue->download<float>(work));
  }
  EXPECT_NE(sums[0][static_cast<std::size_t>(2 * state)], 1.5F);
  EXPECT_EQ(sums[0], sums[1]);
}

INSTANTIATE_TEST_SUITE_P(Every, IirOnDevice, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& target) { return std::string(target.param); });

// What compute's own test compiles is the text without constants.
TEST(IirScan, CompilesForCudaForEachNumberOfSections) {
  const compute::Nvrtc* nvrtc = compute::Nvrtc::open();
  if (nvrtc == nullptr) {
    ASSERT_FALSE(testing::is_required("nvrtc")) << compute::Nvrtc::why_not();
    GTEST_SKIP() << compute::Nvrtc::why_not();
  }
  for (const std::int64_t sections : {1, 5, 8}) {
    const compute::Constant constants[] = {{"SECTIONS", sections}, {"MOST", sections}};
    const std::string text = compute::specialised(kernels::kIir, constants);
    const compute::KernelSource source{kernels::kIir.file, text, kernels::kIir.entries};
    for (const auto real : {compute::Real::float32, compute::Real::float64}) {
      const std::string ptx = nvrtc->compile(source, real, "compute_80");
      EXPECT_NE(ptx.find("iir_filter"), std::string::npos) << sections;
      EXPECT_EQ(ptx.find(".local"), std::string::npos) << sections << " sections leave registers";
    }
  }
}

TEST(IirScan, MovesAStateAsItsFramesWould) {
  const double edges[] = {300, 6000};
  const Sections sections = butterworth(Band::bandpass, 3, edges, 30000);
  const ScanGrid grid{8, 4};
  const ScanTables tables = scan_tables(sections, grid);
  const std::size_t values = 2 * sections.size();
  ASSERT_EQ(tables.left.size(), 8 * padded_values(sections.size()));
  // From each state alone, frame by frame.
  for (std::size_t j = 0; j < values; ++j) {
    std::vector<double> s(values, 0.0);
    s[j] = 1;
    for (int frame = 0; frame < 32; ++frame) {
      double x = 0;
      for (std::size_t i = 0; i < sections.size(); ++i) {
        const Section& k = sections[i];
        const double y = k.b0 * x + s[2 * i];
        s[2 * i] += k.beta1 * x - k.alpha1 * y + s[2 * i + 1];
        s[2 * i + 1] += k.beta2 * x - k.alpha2 * y;
        x = y;
      }
      if (frame == 7 || frame == 31) {
        const auto& moved = frame == 7 ? tables.over_block : tables.over_span;
        for (std::size_t i = 0; i < values; ++i) {
          EXPECT_NEAR(moved[i * values + j] + (i == j ? 1 : 0), s[i], 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::signal
