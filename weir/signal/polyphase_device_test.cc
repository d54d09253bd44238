#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <utility>

#include "weir/signal/ops/fir/fir.h"
#include "weir/signal/ops/fractional_delay/fractional_delay.h"
#include "weir/signal/ops/resample/resample.h"
#include "weir/signal/ops/savgol/savgol.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::Samples;

Value taps(std::int64_t count) {
  Value list = Value::array();
  for (std::int64_t i = 0; i < count; ++i) {
    list.push_back(1.0 / static_cast<double>(i + 1));
  }
  return Value(Value::Object{{"taps", list}});
}

Value ratio(std::int64_t up, std::int64_t down) {
  return Value(Value::Object{{"up", up}, {"down", down}});
}

/// Items make up to 16 outputs whose rows lie in their block, and one of all others: what stands at
/// those borders, which the cuts of the conformance tests meet by chance.
class PolyphaseDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { device_ = testing::device_or_skip(GetParam()); }

  void check(const op::Operator& op, const Value& params, const Samples& in,
             const std::vector<Cuts>& every_cut) {
    const StreamInfo stream = testing::make_stream(30'000, in.channels, in.frames);
    const testing::BoundStep bound = testing::bind(op, params, stream);
    const Buffer data = testing::formed(bound, stream, in);
    const auto whole = testing::run_on_device(bound, data.block(), *device_);
    const auto on_cpu = testing::run_bound(bound, data.block());
    EXPECT_LE(testing::relative_error(whole.samples, on_cpu.samples), 1e-6);
    for (const Cuts& cuts : every_cut) {
      const auto cut = testing::run_on_device(bound, data.block(), *device_, cuts);
      EXPECT_EQ(testing::difference(cut, whole), "") << "blocks of " << cuts.frames.front();
    }
  }

  /// Every length and every ratio is a build of its own, and PoCL takes seconds for each.
  bool builds_slowly() const { return device_->target().kind == compute::TargetKind::opencl; }

  std::shared_ptr<compute::Device> device_;
};

TEST_P(PolyphaseDevice, SumsFiltersOfAnyLength) {
  const Samples in = testing::noise(331, 33, 10);
  constexpr std::int64_t kCounts[] = {63, 65, 200, 1, 2, 15, 16, 17, 64, 128, 129};
  for (const auto count : std::span(kCounts).first(builds_slowly() ? 3 : std::size(kCounts))) {
    SCOPED_TRACE(count);
    check(fir_operator(), taps(count), in,
          {{.frames = {1}},
           {.frames = {count + 14, count + 15, count + 16}},
           {.frames = {200, 3, 17, 16}}});
  }
}

TEST_P(PolyphaseDevice, MakesAnyNumberOfOutputs) {
  for (const std::int64_t frames : {4, 5, 19, 20, 21, 36, 37, 52}) {
    SCOPED_TRACE(frames);
    check(fir_operator(), taps(5), testing::noise(frames, 31, 10), {{.frames = {3, 16}}});
  }
}

TEST_P(PolyphaseDevice, ChangesTheRateByAnyRatio) {
  const Samples in = testing::noise(701, 33, 10);
  constexpr std::pair<std::int64_t, std::int64_t> kRatios[] = {
      {1, 3}, {3, 11}, {1, 2}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {2, 3}, {5, 2}, {3, 1}, {7, 4}};
  for (const auto& [up, down] :
       std::span(kRatios).first(builds_slowly() ? 2 : std::size(kRatios))) {
    SCOPED_TRACE(std::to_string(up) + "/" + std::to_string(down));
    check(resample_operator(), ratio(up, down), in,
          {{.frames = {97, 1, 400}}, {.frames = {350}, .reload_state = true}});
  }
}

TEST_P(PolyphaseDevice, ChangesTheRateWhereNeighboursShareFewRows) {
  check(resample_operator(), ratio(1, 30), testing::noise(4003, 3, 10),
        {{.frames = {1500, 1, 900}}, {.frames = {2100}, .reload_state = true}});
}

TEST_P(PolyphaseDevice, KeepsNanToTheOutputsThatMeetIt) {
  Samples in = testing::noise(400, 3, 10);
  in(100, 1) = std::numeric_limits<float>::quiet_NaN();
  in(399, 2) = std::numeric_limits<float>::infinity();
  check(fir_operator(), taps(63), in, {{.frames = {101, 7}}});
  check(resample_operator(), ratio(1, 3), in, {{.frames = {101, 7}}});
}

TEST_P(PolyphaseDevice, DelaysByWholeBlocksAndParts) {
  const Samples in = testing::noise(401, 33, 10);
  for (const double delay : {-40.5, -200.0, 3.25, 130.75}) {
    SCOPED_TRACE(delay);
    check(fractional_delay_operator(),
          Value(Value::Object{{"delay_samples", delay}, {"edge", "odd"}}), in,
          {{.frames = {97, 1, 200}}, {.frames = {150}, .reload_state = true}});
  }
  Value each = Value::array();
  for (std::int64_t c = 0; c < in.channels; ++c) {
    each.push_back(static_cast<double>(c % 7) - 2.5);
  }
  check(fractional_delay_operator(), Value(Value::Object{{"delay_samples", each}}), in,
        {{.frames = {97, 1, 200}}, {.frames = {150}, .group_channels = 32}});
}

TEST_P(PolyphaseDevice, FitsTheFirstAndTheLastWindow) {
  for (const std::int64_t frames : {11, 12, 21, 22, 23, 200}) {
    SCOPED_TRACE(frames);
    check(savgol_operator(), Value(Value::Object{{"window_length", 11}, {"polyorder", 3}}),
          testing::noise(frames, 33, 10),
          {{.frames = {1}}, {.frames = {7, 16}}, {.frames = {19}, .reload_state = true}});
  }
}

TEST_P(PolyphaseDevice, KeepsToTheBlocksOfTransforms) {
  Value rules = taps(33);
  rules.set("method", "fft");
  rules.set("edge", "mirror");
  check(fir_operator(), rules, testing::noise(700, 33, 10),
        {{.frames = {64}}, {.frames = {128}, .reload_state = true}});
}

INSTANTIATE_TEST_SUITE_P(Targets, PolyphaseDevice, ::testing::Values("host", "opencl", "cuda"));

}  // namespace
}  // namespace weir::signal
