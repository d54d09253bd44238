#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "weir/pipeline/input/input.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/memory_recording.h"

namespace weir::pipeline {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::make_recording_info;
using weir::testing::read_all;

/// Three files a, b, c of `frames` frames, changed by `change(index, info)`; joined.
std::vector<Input> open_three(Join join, std::int64_t frames,
                              const std::function<void(int, RecordingInfo&)>& change = nullptr,
                              Gaps gaps = Gaps::error) {
  Read read;
  read.path = {"a", "b", "c"};
  read.join = join;
  read.gaps = gaps;
  const formats::FormatList none({});
  return open_inputs(read, "/mem", none, [&](const std::filesystem::path& path, const Read&) {
    const int index = path.filename().string()[0] - 'a';
    auto info = make_recording_info(100, 2, frames);
    info.name = path.filename().string();
    if (change) {
      change(index, info);
    }
    return weir::testing::counting_recording(info, 100 * index);
  });
}

void expect_refused(Join join, const std::string& part,
                    const std::function<void(int, RecordingInfo&)>& change) {
  weir::testing::expect_error(ErrorCode::invalid_spec, part, [&] { open_three(join, 4, change); });
}

TEST(Join, EachFileIsAnInput) {
  const auto inputs = open_three(Join::each, 4);
  ASSERT_EQ(inputs.size(), 3);
  EXPECT_EQ(inputs[1].name, "/mem/b");
  EXPECT_EQ(read_all(*inputs[2].source)[0], 200);
}

TEST(Join, InTimeOneAfterTheOther) {
  const auto inputs = open_three(Join::time, 4);
  ASSERT_EQ(inputs.size(), 1);
  EXPECT_EQ(inputs[0].name, "/mem/a + 2 more");
  EXPECT_THAT(inputs[0].paths, ElementsAre("/mem/a", "/mem/b", "/mem/c"));
  const auto& info = inputs[0].source->info();
  ASSERT_EQ(info.segments.size(), 1);
  EXPECT_EQ(info.segments[0], (Segment{.frames = 12, .start_s = Rational(0)}));
  const auto values = read_all(*inputs[0].source);
  EXPECT_THAT(std::vector<float>(values.begin() + 6, values.begin() + 10),
              ElementsAre(30, 31, 100, 101));
  weir::testing::check_source(*inputs[0].source);
}

TEST(Join, JudgesGapsByStartTimes) {
  const auto starts = [](int index, RecordingInfo& info) {
    info.start_time =
        index == 2 ? "2026-11-30T10:00:00.100Z"
                   : (index == 1 ? "2026-11-30T11:00:00.040+01:00" : "2026-11-30T10:00:00.0Z");
  };
  expect_refused(Join::time,
                 "gaps: a + 2 more has 1 gap longer than 5 ms: gap 0: 20 ms (2 samples) "
                 "before sample 8",
                 starts);
  const auto filled = open_three(Join::time, 4, starts, Gaps::fill);
  EXPECT_EQ(filled[0].source->info().total_frames(), 14);
  const auto split = open_three(Join::time, 4, starts, Gaps::split);
  ASSERT_EQ(split[0].source->info().segments.size(), 2);
  EXPECT_EQ(split[0].source->info().segments[1],
            (Segment{.frames = 4, .start_s = Rational(1, 10), .index = 2}));
}

TEST(Join, JudgesGapsByTheFilesOwnClock) {
  expect_refused(
      Join::time, "gap 0: 60 ms (6 samples) before sample 4",
      [](int index, RecordingInfo& info) { info.segments[0].start_s = Rational(index, 10); });
}

TEST(Join, RefusesFilesOutOfOrder) {
  expect_refused(Join::time, "join: b starts 1040 ms before a ends; list the files in the order of",
                 [](int index, RecordingInfo& info) {
                   info.segments[0].start_s = Rational(index == 1 ? 1 : 2);
                 });
}

TEST(Join, WholeSecondsTellNoMilliseconds) {
  const auto inputs = open_three(Join::time, 110, [](int index, RecordingInfo& info) {
    info.start_time = "2026-11-30T10:00:0" + std::to_string(index);
  });
  EXPECT_EQ(inputs[0].source->info().segments.size(), 1);
}

TEST(Join, InTimeNeedsTheSameChannels) {
  expect_refused(Join::time, "join: b has 3 channels, a has 2", [](int index, RecordingInfo& info) {
    info.channels = make_channels(index == 1 ? 3 : 2, 1, 0, "uV");
  });
  expect_refused(Join::time, "join: c has 200 Hz, a has 100 Hz",
                 [](int index, RecordingInfo& info) {
                   info.rate = SampleRate::from_hz(index == 2 ? 200 : 100);
                 });
  expect_refused(
      Join::time, "join: channel 1 (ch1) has gain 2, offset 0, unit \"uV\" in b and gain 1",
      [](int index, RecordingInfo& info) { info.channels[1].gain = index == 1 ? 2 : 1; });
  expect_refused(
      Join::time, "join: channel 0 is called \"x\" in b and \"ch0\" in a",
      [](int index, RecordingInfo& info) { info.channels[0].name = index == 1 ? "x" : "ch0"; });
}

TEST(Join, ByChannelSideBySide) {
  const auto inputs = open_three(Join::channels, 40);
  ASSERT_EQ(inputs.size(), 1);
  EXPECT_EQ(inputs[0].source->info().channel_count(), 6);
  const auto values = read_all(*inputs[0].source);
  EXPECT_THAT(std::vector<float>(values.begin() + 6, values.begin() + 12),
              ElementsAre(10, 11, 110, 111, 210, 211));
  weir::testing::check_source(*inputs[0].source);
}

TEST(Join, ByChannelNeedsRateAndLength) {
  expect_refused(
      Join::channels, "join: segment 0 of b has 5 samples, that of a has 4",
      [](int index, RecordingInfo& info) { info.segments[0].frames = index == 1 ? 5 : 4; });
  expect_refused(Join::channels, "join: c has 200 Hz, a has 100 Hz",
                 [](int index, RecordingInfo& info) {
                   info.rate = SampleRate::from_hz(index == 2 ? 200 : 100);
                 });
  const auto late = open_three(Join::channels, 4, [](int index, RecordingInfo& info) {
    info.segments[0].start_s = Rational(index == 1 ? 1 : 0, 50);
  });
  EXPECT_THAT(late[0].warnings,
              ElementsAre(HasSubstr("segment 0 of b starts 20 ms after that of a")));
}

}  // namespace
}  // namespace weir::pipeline
