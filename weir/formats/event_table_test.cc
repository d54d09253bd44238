#include "weir/formats/event_table.h"

#include <gtest/gtest.h>

namespace weir::formats {
namespace {

EventTableInfo two_segments() {
  EventTableInfo table;
  table.stream.rate = SampleRate::from_hz(1000);
  table.stream.channels = make_channels(3, 0.5, 10, "uV");
  table.stream.segments = {
      Segment{.frames = 100, .start_s = Rational(2)},
      Segment{.frames = 50, .start_s = Rational(7, 2), .first_frame = 40, .index = 4}};
  return table;
}

TEST(EventTable, CountsSamplesFromTheStoredSegmentAndSecondsOnTheClock) {
  const Event event{.onset = 10,
                    .offset = 30,
                    .peak = 20,
                    .final = 30,
                    .peak_value = -8,
                    .channel = 2,
                    .segment = 1,
                    .polarity = -1};
  const EventRow row = to_row(event, two_segments());
  EXPECT_EQ(row.channel, 2);
  EXPECT_EQ(row.channel_name, "ch2");
  EXPECT_EQ(row.onset_sample, 50U);
  EXPECT_EQ(row.offset_sample, 70U);
  EXPECT_EQ(row.peak_sample, 60U);
  EXPECT_EQ(row.peak_value, 6.0F);  // -8 counts at 0.5 and 10 uV.
  EXPECT_DOUBLE_EQ(row.onset_s, 3.51);
  EXPECT_DOUBLE_EQ(row.offset_s.value(), 3.53);
  EXPECT_DOUBLE_EQ(row.duration_s.value(), 0.02);
  EXPECT_EQ(row.segment, 4U);
  EXPECT_EQ(row.polarity, -1);
}

TEST(EventTable, LeavesTheEndOfAnOpenEventEmpty) {
  const Event event{.onset = 10, .peak = 20, .final = 100, .peak_value = 1, .polarity = 1};
  const EventRow row = to_row(event, two_segments());
  EXPECT_FALSE(row.offset_sample);
  EXPECT_FALSE(row.offset_s);
  EXPECT_FALSE(row.duration_s);
  EXPECT_DOUBLE_EQ(row.onset_s, 2.01);
}

}  // namespace
}  // namespace weir::formats
