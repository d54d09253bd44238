#include "weir/formats/label_events.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

EventStreamInfo two_segments() {
  EventStreamInfo info;
  info.name = "annotations";
  info.format = "test";
  info.kind = EventKind::annotations;
  info.table.stream.rate = SampleRate::from_hz(100);
  info.table.stream.segments = {Segment{.frames = 100, .start_s = Rational(1, 2)},
                                Segment{.frames = 100, .start_s = Rational(10), .index = 1}};
  return info;
}

TEST(LabelEvents, LieInTheSegmentThatHadBegun) {
  LabelEvents labels(two_segments());
  labels.add("a", 0.5L);
  labels.add("b", 0.496L);         // Rounds to the first frame.
  labels.add("a", 9.0L, 0.5L);     // In the gap.
  labels.add("b", 9.9951L, 2.0L);  // Nearer to the second segment's first frame.
  labels.add("a", 10.123L, 0.001L);
  labels.add("c", 0.4L);
  const auto source = labels.take("a.edf");
  testing::check_event_source(*source);
  const auto& info = source->info();
  ASSERT_EQ(info.table.stream.channels.size(), 2U);
  EXPECT_EQ(info.table.stream.channels[0].name, "a");
  const EventList events = testing::read_all_events(*source);
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0].onset, 0);
  EXPECT_EQ(events[2].onset, 850);
  EXPECT_EQ(events[2].offset, 900);
  EXPECT_EQ(events[2].segment, 0U);
  EXPECT_EQ(events[3].onset, 12);
  EXPECT_EQ(events[3].offset, 12);
  EXPECT_EQ(events[4].onset, 0);
  EXPECT_EQ(events[4].offset, 200);
  EXPECT_EQ(info.warnings, (std::vector<std::string>{
                               "a.edf: 1 annotation before the recording began is left out, the "
                               "first at 0.4 s"}));
}

TEST(LabelEvents, RefuseWhatIsNoTime) {
  LabelEvents labels(two_segments());
  expect_error(ErrorCode::corrupt_data, "a duration of -1 s", [&] { labels.add("a", 1, -1); });
  expect_error(ErrorCode::corrupt_data, "a duration of", [&] { labels.add("a", 1, NAN); });
  expect_error(ErrorCode::corrupt_data, "a duration of 1e+300 s",
               [&] { labels.add("a", 1, 1e300L); });
  labels.add("a", NAN);
  labels.add("a", 1e300L);
  EXPECT_EQ(labels.take("a.edf")->info().count, 0);
}

TEST(LabelEvents, RefuseMoreTextsThanTheyTellApart) {
  LabelEvents labels(two_segments());
  for (std::int64_t i = 0; i < kMostLabels; ++i) {
    labels.add(std::to_string(i), 1);
  }
  labels.add("7", 2);
  expect_error(ErrorCode::unsupported, "more than 65,536 different texts",
               [&] { labels.add("one more", 1); });
}

}  // namespace
}  // namespace weir::formats
