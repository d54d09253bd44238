#include "weir/formats/digital_lines.h"

#include <gtest/gtest.h>

#include "weir/testing/format_conformance.h"
#include "weir/testing/memory_recording.h"

namespace weir::formats {
namespace {

/// Two channels of words in two segments.
std::shared_ptr<const RecordingSource> words(StoredType stored, std::int64_t frames, double scale) {
  RecordingInfo info = testing::make_recording_info(1000, 2, frames, stored);
  info.segments.push_back(Segment{.frames = 5, .start_s = Rational(100), .index = 1});
  std::vector<float> first(static_cast<std::size_t>(2 * frames), 0);
  for (std::int64_t f = 0; f < frames; ++f) {
    first[2 * f] = f % 7 < 3 ? 1.0F : 3.0F;  // Bit 1 toggles, bit 0 is on.
    first[2 * f + 1] = f >= frames - 2 ? static_cast<float>(-scale) : 0.0F;  // The sign bit alone.
  }
  return std::make_shared<testing::MemoryRecording>(
      info, std::vector<std::vector<float>>{first, {2, 0, 2, 0, 0, 0, 2, 0, 2, 0}});
}

std::vector<DigitalLine> lines(int top) {
  return {{"sync", 0, 1}, {"on", 0, 0}, {"top", 1, top}, {"below", 1, top - 1}};
}

void check_edges(const std::shared_ptr<const RecordingSource>& recording, int top,
                 std::int64_t frames) {
  const auto source = make_digital_lines("digital", recording, lines(top));
  testing::check_event_source(*source);
  const EventList events = testing::read_all_events(*source);
  std::int64_t sync = 0;
  for (std::int64_t f = 1; f < frames; ++f) {
    sync += (f % 7 == 3 || f % 7 == 0) ? 1 : 0;
  }
  ASSERT_EQ(std::ssize(events), sync + 1 + 2);
  EXPECT_EQ(events[0].onset, 3);
  EXPECT_EQ(events[0].offset, 3);
  EXPECT_EQ(events[0].polarity, 1);
  EXPECT_EQ(events[0].peak_value, 1);
  EXPECT_EQ(events[1].onset, 7);
  EXPECT_EQ(events[1].polarity, -1);
  EXPECT_EQ(events[1].peak_value, 0);
  const auto top_edge = std::find_if(events.begin(), events.end(),
                                     [](const Event& event) { return event.channel == 2; });
  ASSERT_NE(top_edge, events.end());
  EXPECT_EQ(top_edge->onset, frames - 2);
  EXPECT_EQ(top_edge->polarity, 1);
  EXPECT_EQ(events[events.size() - 2].segment, 1U);
  EXPECT_EQ(events[events.size() - 2].onset, 2);  // The first sample's level is no edge.
  EXPECT_EQ(events[events.size() - 2].polarity, -1);
  EXPECT_EQ(events.back().onset, 3);
}

TEST(DigitalLines, AreTheEdgesOfTheirBits) {
  check_edges(words(StoredType::int16, 100, 32768), 15, 100);
  check_edges(words(StoredType::int24, 100, 8388608), 23, 100);
}

TEST(DigitalLines, AreTheSameAcrossStretches) {
  check_edges(words(StoredType::int16, 200001, 32768), 15, 200001);
}

/// Every line of 200 words, listed from the last to the first: an edge costs what its word has.
TEST(DigitalLines, OfManyWordsAreFoundByTheirWord) {
  constexpr std::int64_t kWords = 200;
  constexpr std::int64_t kFrames = 40;
  std::vector<float> samples(static_cast<std::size_t>(kWords * kFrames));
  for (std::int64_t f = 0; f < kFrames; ++f) {
    for (std::int64_t w = 0; w < kWords; ++w) {
      samples[static_cast<std::size_t>(f * kWords + w)] =
          static_cast<float>((f + w) % 2 == 0 ? 1 << (w % 15) : 0);
    }
  }
  const auto recording = std::make_shared<testing::MemoryRecording>(
      testing::make_recording_info(1000, kWords, kFrames, StoredType::int16),
      std::vector<std::vector<float>>{samples});
  std::vector<DigitalLine> lines;
  for (std::int64_t i = 16 * kWords - 1; i >= 0; --i) {
    lines.push_back({"", i / 16, static_cast<int>(i % 16)});
  }
  const auto source = make_digital_lines("digital", recording, lines);
  testing::check_event_source(*source);
  const EventList events = testing::read_all_events(*source);
  ASSERT_EQ(std::ssize(events), kWords * (kFrames - 1));
  EXPECT_EQ(source->info().count, kWords * (kFrames - 1));
  EXPECT_EQ(events[0].channel, 16 * kWords - 1 - (16 * (kWords - 1) + 199 % 15));
  EXPECT_EQ(events[0].polarity, 1);
}

/// A long recording is not read to count what it holds.
TEST(DigitalLines, OfALongRecordingAreNotCountedInAdvance) {
  const std::int64_t frames = (std::int64_t{1} << 22) + 7;
  const auto recording = words(StoredType::int16, frames, 32768);
  const auto source = make_digital_lines("digital", recording, lines(15));
  EXPECT_FALSE(source->info().count);
  EXPECT_FALSE(describe_lines("digital", recording->info(), lines(15)).count);
  EventList late;
  source->read(1000000, 3, late);
  EventList again;
  source->read(1000001, 1, again);
  ASSERT_EQ(late.size(), 3U);
  EXPECT_EQ(again[0], late[1]);
  EventList early;
  source->read(0, 1, early);
  EXPECT_EQ(early[0].onset, 3);
  EXPECT_GT(source->held_bytes(), 0U);
}

}  // namespace
}  // namespace weir::formats
