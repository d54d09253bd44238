#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "weir/core/buffer.h"
#include "weir/pipeline/input/input.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/memory_recording.h"

namespace weir::pipeline {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::counting_recording;
using weir::testing::expect_error;
using weir::testing::make_recording_info;
using weir::testing::read_all;

/// Recordings in memory by path; opens a fresh one each time.
struct Shelf {
  std::map<std::string, RecordingInfo> infos;
  std::map<std::string, std::int64_t> bases;

  void put(const std::string& name, RecordingInfo info, std::int64_t base = 0) {
    info.name = name;
    infos[name] = std::move(info);
    bases[name] = base;
  }

  std::vector<Input> open(const Read& read) const {
    const formats::FormatList none({});
    return open_inputs(read, "/mem", none, [this](const std::filesystem::path& path, const Read&) {
      const std::string name = path.filename().string();
      return counting_recording(infos.at(name), bases.at(name));
    });
  }

  /// The only input.
  Input open_one(const Read& read) const {
    auto inputs = open(read);
    EXPECT_EQ(inputs.size(), 1);
    return std::move(inputs.at(0));
  }
};

Shelf shelf_of(RecordingInfo info) {
  Shelf shelf;
  shelf.put("a.bin", std::move(info));
  return shelf;
}

Read read_of(std::vector<std::string> paths = {"a.bin"}) {
  Read read;
  read.path = std::move(paths);
  return read;
}

std::vector<std::string> names(const Input& input) {
  std::vector<std::string> out;
  for (const auto& channel : input.source->info().channels) {
    out.push_back(channel.name);
  }
  return out;
}

RecordingInfo with_segments(RecordingInfo info, const std::vector<Segment>& segments) {
  info.segments = segments;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    info.segments[i].index = static_cast<std::int64_t>(i);
  }
  return info;
}

void expect_refused(const Shelf& shelf, const Read& read, const std::string& part,
                    ErrorCode code = ErrorCode::invalid_spec) {
  expect_error(code, part, [&] { shelf.open(read); });
}

TEST(Inputs, PassAFileThroughUnchanged) {
  const Input input = shelf_of(make_recording_info(1000, 3, 50)).open_one(read_of());
  EXPECT_EQ(input.name, "/mem/a.bin");
  EXPECT_THAT(input.paths, ElementsAre("/mem/a.bin"));
  EXPECT_TRUE(input.source->stored_as_int16());
  const auto whole = counting_recording(make_recording_info(1000, 3, 50));
  EXPECT_EQ(read_all(*input.source), read_all(*whole));
  weir::testing::check_source(*input.source);
}

TEST(Inputs, FloatRecordingsStayFloat) {
  const Input input =
      shelf_of(make_recording_info(1000, 2, 9, StoredType::float32)).open_one(read_of());
  EXPECT_FALSE(input.source->stored_as_int16());
  weir::testing::check_source(*input.source);
}

TEST(Inputs, SelectChannelsInTheOrderAsked) {
  Read read = read_of();
  read.channels = Value::Array{3, 0, "5:7"};
  const Input input = shelf_of(make_recording_info(1000, 8, 20)).open_one(read);
  EXPECT_THAT(names(input), ElementsAre("ch3", "ch0", "ch5", "ch6"));
  EXPECT_EQ(input.source->info().channels[0].source_index, 3);
  const auto values = read_all(*input.source);
  EXPECT_THAT(std::vector<float>(values.begin() + 4, values.begin() + 8),
              ElementsAre(13, 10, 15, 16));
  weir::testing::check_source(*input.source);
}

TEST(Inputs, CutARangeOfSamples) {
  Read read = read_of();
  read.start = 5;
  read.stop = 12;
  const Input input = shelf_of(make_recording_info(1000, 2, 20)).open_one(read);
  const Segment segment = input.source->info().segments.at(0);
  EXPECT_EQ(segment.frames, 7);
  EXPECT_EQ(segment.first_frame, 5);
  EXPECT_EQ(segment.start_s, Rational(5, 1000));
  EXPECT_EQ(read_all(*input.source).front(), 50);
  EXPECT_EQ(read_all(*input.source).back(), 111);
}

TEST(Inputs, CutSecondsExactly) {
  // 0.1 s at 30000.12 Hz ends inside sample 3000: the next range starts at 3001, none is in both.
  Read read = read_of();
  const Shelf shelf = shelf_of(make_recording_info(30000.12, 1, 9000));
  read.stop_s = 0.1;
  EXPECT_EQ(shelf.open_one(read).source->info().segments[0].frames, 3001);
  read.start_s = 0.1;
  read.stop_s = 0.2;
  EXPECT_EQ(shelf.open_one(read).source->info().segments[0].first_frame, 3001);
  EXPECT_EQ(shelf.open_one(read).source->info().segments[0].frames, 3000);
  // 0.3 is no exact double; three thousandths of it must not lose a sample.
  const Shelf even = shelf_of(make_recording_info(1000, 1, 400));
  read.start_s = 0.1;
  read.stop_s = 0.3;
  EXPECT_EQ(even.open_one(read).source->info().segments[0].frames, 200);
}

TEST(Inputs, RefuseRangesPastTheEnd) {
  const Shelf shelf = shelf_of(make_recording_info(1000, 1, 400));
  Read read = read_of();
  read.stop = 401;
  expect_refused(
      shelf, read,
      "stop: sample 401 is beyond the end of /mem/a.bin, which holds 400 samples (0.4 s)");
  read.stop.reset();
  read.start = 400;
  expect_refused(shelf, read, "start: sample 400 is beyond the end");
  read.start.reset();
  read.stop_s = 0.5;
  expect_refused(shelf, read, "stop_s: 0.5 s is beyond the end of /mem/a.bin");
  read.stop_s = 0.4;
  EXPECT_EQ(shelf.open_one(read).source->info().total_frames(), 400);
  read.start_s = 0.4;
  expect_refused(shelf, read, "stop_s: 0.4 is not after the start (0.4)");
  read.stop_s.reset();
  expect_refused(shelf, read, "start_s: 0.4 s is beyond the end");
  read.start = 3;
  expect_refused(shelf, read, "either in seconds (start_s, stop_s) or in samples");
}

TEST(Inputs, KeepEmptyRecordings) {
  const Input input = shelf_of(make_recording_info(1000, 2, 0)).open_one(read_of());
  EXPECT_EQ(input.source->info().segments.size(), 1);
  EXPECT_EQ(input.source->info().total_frames(), 0);
}

/// Case A11: two stretches of one second, half a second apart, at 30 kHz.
Shelf gapped(Rational second_start) {
  return shelf_of(with_segments(
      make_recording_info(30000, 2, 0),
      {{.frames = 30000, .start_s = Rational(0)}, {.frames = 30000, .start_s = second_start}}));
}

TEST(Inputs, RefuseGapsByDefault) {
  expect_refused(
      gapped(Rational(3, 2)), read_of(),
      "gaps: a.bin has 1 gap longer than 0.01667 ms: gap 0: 500 ms (15000 samples) before "
      "sample 30000; choose gaps = \"split\" or \"fill\"");
}

TEST(Inputs, SplitAtGaps) {
  Read read = read_of();
  read.gaps = Gaps::split;
  const Input input = gapped(Rational(3, 2)).open_one(read);
  ASSERT_EQ(input.source->info().segments.size(), 2);
  const Segment second = input.source->info().segments[1];
  EXPECT_EQ(second, (Segment{.frames = 30000, .start_s = Rational(3, 2), .index = 1}));
  EXPECT_EQ(read_all(*input.source, 1)[0], 1000);
  ASSERT_EQ(input.warnings.size(), 1);
  EXPECT_THAT(input.warnings[0], HasSubstr("gap 0: 500 ms (15000 samples)"));
}

TEST(Inputs, MergeWhatIsWithinTheTolerance) {
  // A third of a sample late is no gap; a whole one is, unless a millisecond is allowed.
  const Rational third = Rational(1) + Rational(1, 90000);
  EXPECT_EQ(gapped(third).open_one(read_of()).source->info().segments.size(), 1);
  const Rational whole = Rational(1) + Rational(1, 30000);
  expect_refused(gapped(whole), read_of(), "gap 0: 0.0333333 ms (1 samples)");
  Read read = read_of();
  read.gap_tolerance_ms = 1;
  const Input input = gapped(whole).open_one(read);
  ASSERT_EQ(input.source->info().segments.size(), 1);
  EXPECT_EQ(input.source->info().segments[0].frames, 60000);
  EXPECT_EQ(read_all(*input.source)[2 * 30000], 1000);
}

TEST(Inputs, FillGapsWithZeroPhysicalUnits) {
  auto info = with_segments(
      make_recording_info(1000, 2, 0),
      {{.frames = 4, .start_s = Rational(0)}, {.frames = 4, .start_s = Rational(10, 1000)}});
  info.channels[1].gain = 0.5;
  info.channels[1].offset = -16;
  Read read = read_of();
  read.gaps = Gaps::fill;
  const Input input = shelf_of(info).open_one(read);
  ASSERT_EQ(input.source->info().segments.size(), 1);
  EXPECT_EQ(input.source->info().segments[0].frames, 14);
  EXPECT_TRUE(input.source->stored_as_int16());
  const auto values = read_all(*input.source);
  EXPECT_THAT(std::vector<float>(values.begin() + 6, values.begin() + 12),
              ElementsAre(30, 31, 0, 32, 0, 32));
  EXPECT_THAT(std::vector<float>(values.begin() + 18, values.begin() + 22),
              ElementsAre(0, 32, 1000, 1001));
  weir::testing::check_source(*input.source);
  EXPECT_THAT(input.warnings.at(0), HasSubstr("filled with 0 physical units"));
}

TEST(Inputs, FillInFloatWhereZeroIsNoWholeCount) {
  auto info = with_segments(
      make_recording_info(1000, 1, 0),
      {{.frames = 2, .start_s = Rational(0)}, {.frames = 2, .start_s = Rational(4, 1000)}});
  info.channels[0].gain = 0.195;
  info.channels[0].offset = 1;
  Read read = read_of();
  read.gaps = Gaps::fill;
  const Input input = shelf_of(info).open_one(read);
  EXPECT_FALSE(input.source->stored_as_int16());
  EXPECT_EQ(read_all(*input.source)[2], static_cast<float>(-1 / 0.195));
}

TEST(Inputs, RefuseGapsThatCannotBeFilled) {
  Read read = read_of();
  read.gaps = Gaps::fill;
  expect_refused(gapped(Rational(1, 2)), read,
                 "gap 0: -500 ms (-15000 samples) before sample 30000; an overlap or an unknown "
                 "length cannot be filled");
  expect_refused(gapped(Rational(0)), read, "gap 0: of unknown length before sample 30000");
  read.gaps = Gaps::split;
  EXPECT_EQ(gapped(Rational(0)).open_one(read).source->info().segments.size(), 2);
  read.start_s = 0.5;
  expect_refused(gapped(Rational(0)), read, "start_s: the segments of /mem/a.bin have no times");
}

TEST(Inputs, CountRangesOverSegments) {
  Read read = read_of();
  read.gaps = Gaps::split;
  read.start = 29990;
  read.stop = 30020;
  const auto by_samples = gapped(Rational(3, 2)).open_one(read).source->info().segments;
  ASSERT_EQ(by_samples.size(), 2);
  EXPECT_EQ(by_samples[0].first_frame, 29990);
  EXPECT_EQ(by_samples[1],
            (Segment{.frames = 20, .start_s = Rational(3, 2), .first_frame = 0, .index = 1}));
  read.start.reset();
  read.stop.reset();
  read.start_s = 1.2;
  read.stop_s = 1.6;
  const auto by_seconds = gapped(Rational(3, 2)).open_one(read).source->info().segments;
  ASSERT_EQ(by_seconds.size(), 1);
  EXPECT_EQ(by_seconds[0], (Segment{.frames = 3000, .start_s = Rational(3, 2), .index = 1}));
  read.stop_s = 1.4;
  expect_refused(gapped(Rational(3, 2)), read,
                 "start_s: no sample of /mem/a.bin lies in the range");
}

}  // namespace
}  // namespace weir::pipeline
