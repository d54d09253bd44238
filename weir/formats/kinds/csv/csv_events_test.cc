#include "weir/formats/kinds/csv/csv_events.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/kinds/csv/csv.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

EventOutput output_at(const std::filesystem::path& path, double rate_hz) {
  EventOutput output;
  output.path = path;
  output.table.stream.rate = SampleRate::from_hz(rate_hz);
  output.table.stream.channels = make_channels(3);
  output.table.stream.channels[1].name = "Cz, \"top\"\nleft";
  output.table.stream.channels[2].name = "Ångström µV";
  output.table.stream.segments = {
      Segment{.frames = 5000000, .start_s = Rational(1, 10)},
      Segment{.frames = 5000000, .start_s = Rational(1000000, 3), .first_frame = 0, .index = 3}};
  return output;
}

EventList many(std::int64_t count) {
  EventList events;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t onset = 37 * i;
    events.push_back({.onset = onset,
                      .offset = onset + i % 7,
                      .peak = onset + 1,
                      .final = onset + i % 7,
                      .peak_value = static_cast<float>(i) / 3,
                      .channel = static_cast<std::int32_t>(i % 3),
                      .segment = i < count / 2 ? 0U : 1U,
                      .polarity = static_cast<std::int8_t>(i % 2 == 0 ? 1 : -1)});
  }
  return events;
}

std::string written(const EventOutput& output, const EventList& events) {
  const auto writer = csv_format().create_events(output);
  writer->append(events);
  writer->commit("{}");
  return testing::read_string(output.path);
}

/// The rows of `text` behind the header of our tables.
std::unique_ptr<EventSource> open_text(const std::string& text, const OpenOptions& options = {}) {
  const ScratchFolder folder;
  testing::write_string(folder / "t.csv", text);
  return open_csv_events(folder / "t.csv", options);
}
OpenOptions at_1000_hz() {
  OpenOptions options;
  options.raw.set("rate_hz", 1000);
  return options;
}
void refuses(const std::string& text, const std::string& part,
             ErrorCode code = ErrorCode::corrupt_data) {
  expect_error(code, part, [&] { open_text(text, at_1000_hz()); });
}

TEST(CsvEvents, ReadBackWhatIsWrittenToTheByte) {
  for (const double rate_hz : {1000.0, 30000.12, 44100.0, 0.5}) {
    const ScratchFolder folder;
    const auto output = output_at(folder / "spikes.csv", rate_hz);
    const std::string text = written(output, many(3000));
    const auto source = csv_format().open_events(output.path, {});
    testing::check_event_source(*source);
    const auto& info = source->info();
    EXPECT_EQ(info.name, "spikes");
    EXPECT_EQ(info.kind, EventKind::table);
    EXPECT_EQ(info.count, 3000);
    EXPECT_EQ(info.table.stream.rate, SampleRate::from_hz(rate_hz));
    ASSERT_EQ(info.table.stream.segments.size(), 2U);
    EXPECT_EQ(info.table.stream.segments[0].start_s, Rational(1, 10));
    EXPECT_EQ(info.table.stream.segments[1].index, 3);
    EXPECT_EQ(info.table.stream.channels[1].name, "Cz, \"top\"\nleft");
    EXPECT_TRUE(info.warnings.empty());
    auto again = output;
    again.path = folder / "again.csv";
    again.table = info.table;
    EXPECT_EQ(written(again, testing::read_all_events(*source)), text) << rate_hz;
  }
}

/// Where a segment's first frame was not its first sample, the time of that one is no simple
/// number.
TEST(CsvEvents, KeepTimesOfSegmentsThatBeginLater) {
  const ScratchFolder folder;
  auto output = output_at(folder / "spikes.csv", 30000.12);
  output.table.stream.segments[1].first_frame = 7;
  written(output, many(100));
  const auto source = csv_format().open_events(output.path, {});
  testing::check_event_source(*source);
  const EventList events = testing::read_all_events(*source);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventRow expected = to_row(many(100)[i], output.table);
    const EventRow row = to_row(events[i], source->info().table);
    EXPECT_EQ(row.onset_sample, expected.onset_sample);
    EXPECT_NEAR(row.onset_s, expected.onset_s, 1e-9);
  }
}

TEST(CsvEvents, ListTheTableWithItsLabels) {
  const ScratchFolder folder;
  written(output_at(folder / "spikes.csv", 1000), many(10));
  const auto listed = csv_format().list_events(folder / "spikes.csv", {});
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].count, 10);
  EXPECT_EQ(listed[0].table.stream.channels.size(), 3U);
  written(output_at(folder / "long.csv", 1000), many(60000));
  const auto of_long = csv_format().list_events(folder / "long.csv", {});
  EXPECT_FALSE(of_long[0].count);
  EXPECT_EQ(of_long[0].table.stream.rate, SampleRate::from_hz(1000));
  EXPECT_TRUE(of_long[0].table.stream.channels.empty());
  expect_error(ErrorCode::not_found, "no events called \"x\"; there are spikes", [&] {
    csv_format().open_events(folder / "spikes.csv", {.stream = "x", .raw = {}});
  });
}

TEST(CsvEvents, LeaveOpenWhatIsOpen) {
  const auto source =
      open_text("channel,onset_sample,offset_sample,onset_s\n0,10,,0.01\n1,20,30,0.02\n", {});
  const EventList events = testing::read_all_events(*source);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].onset, 10);  // Open until the segment's end, which is the last event's.
  EXPECT_EQ(events[0].offset, Event::kOpen);
  EXPECT_EQ(events[0].final, 30);
  EXPECT_EQ(source->info().table.stream.rate, SampleRate::from_hz(1000));
}

TEST(CsvEvents, ReadTheNineColumnsOfDspk) {
  const auto source = open_text(
      "channel,channel_name,onset_sample,offset_sample,peak_sample,peak_value,onset_s,offset_s,"
      "duration_s\n"
      "1,\"a \"\"b\"\"\",30,60,45,-5.5,0.001,0.002,0.001\n"
      "0,c,90000,,90001,7,3,,\n");
  EXPECT_EQ(source->info().table.stream.rate, SampleRate::from_hz(30000));
  EXPECT_EQ(source->info().table.stream.channels[1].name, "a \"b\"");
  EXPECT_EQ(source->info().table.stream.channels[0].name, "c");
  const EventList events = testing::read_all_events(*source);
  EXPECT_EQ(events[0].peak_value, -5.5F);
  EXPECT_EQ(events[1].peak, 90001);
  testing::check_event_source(*source);
}

TEST(CsvEvents, ReadTimesAlone) {
  const auto points = open_text("onset_s\n0.25\n1e-3\n");
  EXPECT_EQ(points->info().table.stream.rate, SampleRate::from_hz(1e6));
  const EventList two = testing::read_all_events(*points);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].onset, 1000);
  EXPECT_EQ(two[0].offset, 1000);
  EXPECT_EQ(two[1].onset, 250'000);
  const auto spans = open_text("channel_name,onset_s,duration_s\nleft,0.5,0.25\nright,0.75,\n");
  EXPECT_EQ(spans->info().table.stream.channels[1].name, "right");
  const EventList rows = testing::read_all_events(*spans);
  EXPECT_EQ(rows[0].offset, 750'000);
  EXPECT_EQ(rows[1].offset, 750'000);  // A point.
  EXPECT_EQ(rows[1].channel, 1);
  testing::check_event_source(*spans);
  const auto refused = [](const std::string& part, const std::string& text) {
    expect_error(ErrorCode::corrupt_data, part, [&] { open_text(text); });
  };
  refused("line 2: onset_s: -1 lies before second 0", "onset_s\n-1\n");
  refused("line 2: onset_s: is empty", "onset_s,channel\n,0\n");
  refused("has the column peak_sample, but no onset_sample", "onset_s,peak_sample\n1,2\n");
}

TEST(CsvEvents, SortRowsThatComeInAnyOrder) {
  const auto source = open_text(
      "\xef\xbb\xbf"
      "channel_name,onset_sample,note\r\nb,30,x\r\na,10,y\r\nb,20,\"z\r\n\"\r\n",
      at_1000_hz());
  testing::check_event_source(*source);
  const EventList events = testing::read_all_events(*source);
  EXPECT_EQ(events[0].onset, 10);
  EXPECT_EQ(events[0].channel, 1);
  EXPECT_EQ(events[2].channel, 0);
  EXPECT_EQ(events[2].offset, 30);  // Without a column of offsets, events are points.
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("column \"note\" is not kept"), std::string::npos);
}

TEST(CsvEvents, NeedARateThatFitsEveryTime) {
  expect_error(ErrorCode::invalid_spec, "raw.rate_hz: must be given",
               [] { open_text("channel,onset_sample\n0,1\n"); });
  expect_error(ErrorCode::corrupt_data, "sample 20 is at 0.021 s, but at 1000 Hz",
               [] { open_text("channel,onset_sample,onset_s\n0,0,0\n0,20,0.021\n0,30,0.03\n"); });
  expect_error(ErrorCode::corrupt_data, "tell no rate",
               [] { open_text("channel,onset_sample,onset_s\n0,0,5\n0,20,5\n"); });
  expect_error(ErrorCode::corrupt_data, "tell no rate",
               [] { open_text("channel,onset_sample,onset_s\n0,0,5\n0,20,1\n"); });
  // Times rounded to milliseconds are near enough when the rate is said.
  OpenOptions options;
  options.raw.set("rate_hz", 300);
  EXPECT_EQ(open_text("channel,onset_sample,onset_s\n0,0,0\n0,1,0.003\n0,2,0.007\n", options)
                ->info()
                .count,
            3);
  EXPECT_EQ(open_text("channel,onset_sample\n")->info().count, 0);
}

TEST(CsvEvents, NameWhatIsWrong) {
  refuses("", "is empty");
  refuses("a,b\n1,2\n", "is no event table: its first line must name the columns");
  refuses("channel,offset_sample\n", "is no event table");
  refuses("channel,onset_sample,channel\n", "column channel is there twice");
  refuses("channel,onset_sample\n0\n", "line 2: 1 fields, but 2 columns");
  refuses("channel,onset_sample\n\n0,1\n0,1,2\n", "line 4: 3 fields");
  refuses("channel,onset_sample\n0,-3\n", "onset_sample: \"-3\" is not a sample's index");
  refuses("channel,onset_sample\n0,1.5\n", "onset_sample: \"1.5\"");
  refuses("channel,onset_sample\n0,\n", "onset_sample: is empty");
  refuses("channel,onset_sample\n0,nan\n", "onset_sample: \"nan\"");
  refuses("channel,onset_sample\n0,9223372036854775808\n", "is beyond 2^62 samples");
  refuses("channel,onset_sample\n0,99999999999999999999\n", "onset_sample: \"9999");
  refuses("channel,onset_sample\n-1,3\n", "channel: -1 is not between 0 and 65535");
  refuses("channel,onset_sample\n65536,3\n", "channel: 65536 is not between");
  refuses("channel,onset_sample\n,3\n", "channel: is empty");
  refuses("channel,channel_name,onset_sample\n0,a,3\n0,b,4\n", "is called \"b\" here, but \"a\"");
  refuses("channel,onset_sample,offset_sample\n0,3,2\n", "offset_sample: 2 is before the onset");
  refuses("channel,onset_sample,offset_sample\n0,3,-1\n", "offset_sample: \"-1\"");
  refuses("channel,onset_sample,polarity\n0,3,2\n", "polarity: 2 is not 1, 0 or -1");
  refuses("channel,onset_sample,polarity\n0,3,300\n", "polarity: \"300\"");
  refuses("channel,onset_sample,segment\n0,3,-1\n", "segment: \"-1\"");
  refuses("channel,onset_sample,onset_s\n0,3,nan\n", "onset_s: nan is no time");
  refuses("channel,onset_sample,onset_s\n0,3,inf\n", "onset_s: inf is no time");
  refuses("channel,onset_sample,onset_s\n0,3,1e300\n", "onset_s: 1e300 is no time");
  refuses("channel,onset_sample,peak_value\n0,3,x\n", "peak_value: \"x\" is not a number");
}

TEST(CsvEvents, HoldToTheRulesOfQuotes) {
  refuses("channel_name,onset_sample\n\"a,3\n", "line 2: a quoted field does not end");
  refuses("channel_name,onset_sample\na\"b,3\n", "line 2: a quote inside a field");
  refuses("channel_name,onset_sample\n\"a\"b,3\n", "field 1: text after the closing quote");
  refuses("channel_name,onset_sample\ra,3\n", "a carriage return without a line feed");
  refuses("channel_name,onset_sample\n" + std::string(70000, 'x') + ",3\n",
          "a field is longer than 65,536 bytes");
  refuses(std::string(2000, ','), "more than 1024 fields");
  const auto source = open_text("channel_name,onset_sample\n\"\",3\n\"a\"\"\n\",4", at_1000_hz());
  EXPECT_EQ(source->info().table.stream.channels[0].name, "ch0");
  EXPECT_EQ(source->info().table.stream.channels[1].name, "a\"\n");
}

}  // namespace
}  // namespace weir::formats
