#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>

#include "weir/signal/ops/median/median.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::Samples;

/// Small whole numbers, so that windows hold equal values, zeros of either sign among them.
Samples counts(std::int64_t frames, std::int64_t channels) {
  Samples in = testing::noise(frames, channels, 3);
  for (float& value : in.values) {
    value = std::round(value);
  }
  return in;
}

class MedianDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { device_ = testing::device_or_skip(GetParam()); }

  void check(std::int64_t width, const Samples& in, const std::vector<Cuts>& every_cut) {
    SCOPED_TRACE("width " + std::to_string(width) + ", frames " + std::to_string(in.frames));
    const StreamInfo stream = testing::make_stream(1000, in.channels, in.frames);
    const testing::BoundStep bound =
        testing::bind(median_operator(), Value(Value::Object{{"width", width}}), stream);
    const Buffer data = testing::formed(bound, stream, in);
    const auto whole = testing::run_on_device(bound, data.block(), *device_);
    const auto on_cpu = testing::run_bound(bound, data.block());
    EXPECT_EQ(testing::relative_error(whole.samples, on_cpu.samples), 0);
    for (const float value : whole.samples.values) {
      ASSERT_FALSE(value == 0 && std::signbit(value));
    }
    for (const Cuts& cuts : every_cut) {
      const auto cut = testing::run_on_device(bound, data.block(), *device_, cuts);
      EXPECT_EQ(testing::difference(cut, whole), "") << "blocks of " << cuts.frames.front();
    }
  }

  std::shared_ptr<compute::Device> device_;
};

TEST_P(MedianDevice, FindsTheMiddleOfAnyWidth) {
  // Every network is a build of its own, and PoCL takes seconds for each.
  const bool slow = device_->target().kind == compute::TargetKind::opencl;
  constexpr std::int64_t kWidths[] = {9, 15, 33, 1, 3, 5, 7, 11, 13, 17, 19, 101};
  for (const auto width : std::span(kWidths).first(slow ? 3 : std::size(kWidths))) {
    check(width, counts(211, 33),
          {{.frames = {1}}, {.frames = {width + 14, width + 15, width + 16}}, {.frames = {64, 3}}});
  }
}

TEST_P(MedianDevice, TakesSegmentsShorterThanTheWindow) {
  for (const std::int64_t width : {9, 33}) {
    for (const std::int64_t frames : {1, 3, 8, 9, 23, 24, 25, 26, 40}) {
      check(width, counts(frames, 5), {{.frames = {2, 5}}});
    }
  }
}

TEST_P(MedianDevice, FollowsJumpsAndInfinitiesAndGivesNanWhereTheWindowHasOne) {
  Samples in = counts(300, 4);
  for (std::int64_t f = 100; f < 300; ++f) {
    in(f, 0) += f < 200 ? 1e30F : -1e30F;
    in(f, 1) = f % 3 == 0 ? std::numeric_limits<float>::infinity()
                          : -std::numeric_limits<float>::infinity();
  }
  in(50, 2) = in(51, 2) = in(200, 3) = std::numeric_limits<float>::quiet_NaN();
  for (const std::int64_t width : {9, 15, 41}) {
    check(width, in, {{.frames = {101, 7}}, {.frames = {60}, .reload_state = true}});
  }
}

TEST_P(MedianDevice, GivesTheSameBitsInGroupsOfAnyShape) {
  const Samples in = counts(150, 35);
  for (const char* way : {"0", "1", "2", "3", "4"}) {
    ::setenv("WEIR_TUNE", way, 1);
    check(9, in, {{.frames = {40}}});
    check(33, in, {{.frames = {40}}});
  }
  ::unsetenv("WEIR_TUNE");
}

INSTANTIATE_TEST_SUITE_P(Targets, MedianDevice, ::testing::Values("host", "opencl", "cuda"));

}  // namespace
}  // namespace weir::signal
