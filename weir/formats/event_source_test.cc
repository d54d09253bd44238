#include "weir/formats/event_source.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/stored_events.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

EventStreamInfo two_segments() {
  EventStreamInfo info;
  info.name = "table";
  info.format = "test";
  info.table.stream.rate = SampleRate::from_hz(1000);
  info.table.stream.channels = make_channels(3);
  info.table.stream.segments = {
      Segment{.frames = 100, .start_s = {}},
      Segment{.frames = -1, .start_s = Rational(7, 2), .first_frame = 40, .index = 4}};
  return info;
}

const EventList kShuffled{{.onset = 5, .offset = 9, .peak = 6, .channel = 1, .segment = 1},
                          {.onset = 50, .peak = 60, .channel = 2, .segment = 0, .polarity = 1},
                          {.onset = 7, .offset = 8, .peak = 7, .channel = 0, .segment = 1},
                          {.onset = 4, .offset = 9, .peak = 6, .channel = 1, .segment = 1},
                          {.onset = 3, .offset = 3, .peak = 3, .channel = 0, .segment = 0}};

/// A source that answers with `change` of what it should.
class Fake final : public EventSource {
 public:
  using Change = std::function<void(std::int64_t first, EventList& piece)>;
  Fake(EventStreamInfo info, Change change)
      : whole_(make_stored_events(two_segments(), kShuffled)),
        info_(std::move(info)),
        change_(std::move(change)) {}
  const EventStreamInfo& info() const noexcept override { return info_; }
  void read(std::int64_t first, std::int64_t count, EventList& events) const override {
    EventList piece;
    whole_->read(first, count, piece);
    change_(first, piece);
    events.insert(events.end(), piece.begin(), piece.end());
  }

 private:
  std::unique_ptr<EventSource> whole_;
  EventStreamInfo info_;
  Change change_;
};

TEST(EventSource, SortsTheRowsItHolds) {
  const auto source = make_stored_events(two_segments(), kShuffled);
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().count, 5);
  EXPECT_EQ(source->info().table.stream.segments[1].frames, 9);
  std::vector<std::int64_t> onsets;
  for (const auto& event : testing::read_all_events(*source)) {
    onsets.push_back(event.onset);
  }
  EXPECT_EQ(onsets, (std::vector<std::int64_t>{3, 50, 7, 4, 5}));
  EXPECT_EQ(testing::read_all_events(*source)[1].final, 100);
  EXPECT_GE(source->held_bytes(), 5 * sizeof(Event));
}

TEST(EventSource, HoldsNothing) {
  testing::check_event_source(*make_stored_events(two_segments(), {}));
}

TEST(EventSource, EveryBrokenPromiseIsFound) {
  EventStreamInfo info = make_stored_events(two_segments(), kShuffled)->info();
  const auto broken = [](EventStreamInfo given, Fake::Change change) {
    return testing::find_broken_events(Fake(std::move(given), std::move(change)));
  };
  const auto nothing = [](std::int64_t, EventList&) {};
  EXPECT_EQ(broken(info, nothing), "");
  auto wrong = info;
  wrong.count = 4;
  EXPECT_EQ(broken(wrong, nothing), "the source counts 4 rows, but gives 5");
  wrong = info;
  wrong.name.clear();
  EXPECT_NE(broken(wrong, nothing), "");
  wrong = info;
  wrong.table.stream.channels.resize(2);
  EXPECT_NE(broken(wrong, nothing), "");
  wrong = info;
  wrong.kind = EventKind::ttl;
  EXPECT_EQ(broken(wrong, nothing), "row 0: polarity 0");
  const auto every = [&](auto change) {
    return broken(info, [change](std::int64_t, EventList& piece) {
      for (auto& event : piece) {
        change(event);
      }
    });
  };
  EXPECT_NE(every([](Event& event) { event.segment += 2; }), "");
  EXPECT_NE(every([](Event& event) { event.onset = -1; }), "");
  EXPECT_NE(every([](Event& event) { ++event.final; }), "");
  EXPECT_NE(every([](Event& event) { event.offset = event.final = event.onset - 1; }), "");
  EXPECT_NE(broken(info, [](std::int64_t,
                            EventList& piece) { std::reverse(piece.begin(), piece.end()); }),
            "");
  EXPECT_NE(broken(info,
                   [](std::int64_t first, EventList& piece) {
                     if (first % 2 == 1 && !piece.empty()) {
                       piece[0].peak_value = 7;
                     }
                   }),
            "");
  EXPECT_NE(broken(info,
                   [](std::int64_t first, EventList& piece) {
                     if (first > 0 && !piece.empty()) {
                       piece.pop_back();
                     }
                   }),
            "");
}

TEST(EventSource, TakesTheOnlyStreamOrTheOneNamed) {
  EventStreamInfo first = two_segments();
  EventStreamInfo second = two_segments();
  second.name = "lines";
  EXPECT_EQ(choose_events({first}, "", "a.edf"), 0U);
  EXPECT_EQ(choose_events({first, second}, "lines", "a.edf"), 1U);
  expect_error(ErrorCode::invalid_spec, "say which of table, lines",
               [&] { choose_events({first, second}, "", "a.edf"); });
  expect_error(ErrorCode::not_found, "no events called \"x\"; there are table",
               [&] { choose_events({first}, "x", "a.edf"); });
  expect_error(ErrorCode::not_found, "a.edf: brings no events",
               [&] { choose_events({}, "", "a.edf"); });
}

TEST(EventSource, TurnsRowsBackIntoEvents) {
  EventTableInfo table = two_segments().table;
  const Event event{.onset = 10,
                    .offset = 30,
                    .peak = 20,
                    .final = 0,
                    .peak_value = 1.5F,
                    .channel = 2,
                    .segment = 1,
                    .polarity = -1};
  EventRow row = to_row(event, table);
  EXPECT_EQ(from_row(row, 1, table), event);
  row.offset_sample = row.onset_sample - 1;
  expect_error(ErrorCode::corrupt_data, "offset_sample: 49 is before the onset, 50",
               [&] { from_row(row, 1, table); });
  row.onset_sample = 39;
  expect_error(ErrorCode::corrupt_data, "onset_sample: 39 is before the segment's first, 40",
               [&] { from_row(row, 1, table); });
  row.onset_sample = std::uint64_t{1} << 63;
  expect_error(ErrorCode::corrupt_data, "beyond 2^62", [&] { from_row(row, 1, table); });
  row.channel = 3;
  expect_error(ErrorCode::corrupt_data, "channel: 3 is none of 3",
               [&] { from_row(row, 1, table); });
}

}  // namespace
}  // namespace weir::formats
