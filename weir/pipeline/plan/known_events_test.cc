#include "weir/pipeline/plan/known_events.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/core/error.h"
#include "weir/formats/stored_events.h"
#include "weir/testing/conformance.h"

namespace weir::pipeline {
namespace {
constexpr std::size_t kPlenty = 1 << 20;

Segment part(std::int64_t frames, std::int64_t start_s = 0) {
  Segment segment;
  segment.frames = frames;
  segment.start_s = Rational(start_s);
  return segment;
}

StreamInfo stream_of(double rate_hz, std::vector<Segment> segments) {
  StreamInfo stream;
  stream.rate = SampleRate::from_hz(rate_hz);
  stream.channels = make_channels(2);
  stream.segments = std::move(segments);
  return stream;
}

/// Rows of a source, as they are.
class Rows final : public formats::EventSource {
 public:
  Rows(StreamInfo stream, EventList events) : events_(std::move(events)) {
    info_.table.stream = std::move(stream);
  }
  const formats::EventStreamInfo& info() const noexcept override { return info_; }
  void read(std::int64_t first, std::int64_t count, EventList& events) const override {
    for (std::int64_t i = first; i < std::min<std::int64_t>(first + count, std::ssize(events_));
         ++i) {
      events.push_back(events_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  formats::EventStreamInfo info_;
  EventList events_;
};

Event at(std::int64_t onset, std::int64_t offset, std::uint32_t segment = 0) {
  return {.onset = onset, .offset = offset, .peak = onset, .final = offset, .segment = segment};
}

TEST(KnownEvents, StandAtTheNearestSampleHalvesToEven) {
  const Rows rows(stream_of(10000, {part(1000)}),
                  {at(4, 6), at(5, 26), at(15, 15), at(25, Event::kOpen), at(991, 999)});
  std::vector<std::string> warnings;
  const auto known = known_events("ev", rows, stream_of(1000, {part(100)}), kPlenty, warnings);
  ASSERT_EQ(known->segments.size(), 1U);
  const EventList& events = known->segments[0];
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0].onset, 0);
  EXPECT_EQ(events[0].offset, 1);
  EXPECT_EQ(events[1].onset, 0);  // 0.5
  EXPECT_EQ(events[1].offset, 3);
  EXPECT_EQ(events[2].onset, 2);  // 1.5
  EXPECT_EQ(events[3].onset, 2);  // 2.5
  EXPECT_EQ(events[3].offset, Event::kOpen);
  EXPECT_EQ(events[4].onset, 99);
  EXPECT_EQ(events[4].final, 99);
  EXPECT_TRUE(warnings.empty());
}

TEST(KnownEvents, LieInTheSegmentOfTheirTime) {
  const Rows rows(stream_of(1000, {part(100000)}), {at(500, 501), at(1999, 2000), at(2000, 2001),
                                                    at(50500, 50600), at(99000, 99001)});
  std::vector<std::string> warnings;
  // Given in another order than that of time.
  const auto known =
      known_events("ev", rows, stream_of(1000, {part(1000, 50), part(2000)}), kPlenty, warnings);
  EXPECT_EQ(known->segments[0].size(), 1U);
  EXPECT_EQ(known->segments[0].front().onset, 500);
  EXPECT_EQ(known->segments[1].size(), 2U);
  EXPECT_EQ(known->segments[1].back().offset, 2000);
  EXPECT_EQ(warnings,
            (std::vector<std::string>{"node ev: 2 of 5 events lie outside the recording"}));
}

TEST(KnownEvents, TakeTablesInAnyOrderAndAnyNumbers) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  Event far_peak = at(50, 60);
  far_peak.peak = kMost;
  const Rows rows(stream_of(3000, {part(3000)}),
                  {at(900, 901), at(30, 40), far_peak, at(kMost, kMost), at(kLeast, kLeast),
                   at(60, kLeast), at(90, 91, 7), at(-5, 10)});
  std::vector<std::string> warnings;
  const auto known = known_events("ev", rows, stream_of(1000, {part(1000)}), kPlenty, warnings);
  const EventList& events = known->segments[0];
  ASSERT_EQ(events.size(), 4U);
  EXPECT_TRUE(std::is_sorted(events.begin(), events.end(), row_before));
  for (const Event& event : events) {
    EXPECT_GE(event.onset, 0);
    EXPECT_LT(event.peak, 1000);
    EXPECT_TRUE(event.offset == Event::kOpen || event.offset >= event.onset);
  }
  EXPECT_EQ(warnings.front(), "node ev: 4 of 8 events lie outside the recording");
}

TEST(KnownEvents, KeepToTheirMemory) {
  const Rows rows(stream_of(1000, {part(1000)}), EventList(100, at(1, 2)));
  std::vector<std::string> warnings;
  testing::expect_error(ErrorCode::out_of_memory, "more than 10 events are too many", [&] {
    known_events("ev", rows, stream_of(1000, {part(1000)}), 10 * sizeof(Event), warnings);
  });
}

}  // namespace
}  // namespace weir::pipeline
