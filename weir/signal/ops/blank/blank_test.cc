#include "weir/signal/ops/blank/blank.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/table_events.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value numbers(const std::vector<double>& list) {
  Value array = Value::array();
  for (const double number : list) {
    array.push_back(number);
  }
  return array;
}

Value around(const std::vector<double>& times_s, const char* mode, double before_s = 0.002,
             double after_s = 0.005) {
  return Value(Value::Object{
      {"times_s", numbers(times_s)}, {"mode", mode}, {"before_s", before_s}, {"after_s", after_s}});
}

/// The same times of every segment: those of the suite's probes begin 1000 s from each other.
Value of_each_segment(const std::vector<double>& times_s, const char* mode) {
  std::vector<double> all;
  for (const double start : {0.0, 1000.0, 2000.0, 3000.0}) {
    for (const double time : times_s) {
      all.push_back(start + time);
    }
  }
  return around(all, mode);
}

TEST(Blank, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(blank_operator(),
                          of_each_segment({0.001, 0.1, 0.104, 1.4999, 2.5}, "zeros"), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(Blank, ConformsWithLines) {
  testing::check_operator(blank_operator(),
                          of_each_segment({0.001, 0.1, 0.104, 0.131, 0.29, 1.4999, 2.5}, "linear"),
                          make_stream(1000, 37, 3000), {.relative = 0});
}

TEST(Blank, EqualsNumPy) {
  const Samples in = testing::load_npy("weir/signal/ops/blank/golden/counts.npy");
  const StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (const char* mode : {"zeros", "linear"}) {
    const Samples out =
        run_operator(blank_operator(), around({0.0, 0.05, 0.0532, 0.2, 0.298}, mode), stream, in)
            .samples;
    testing::expect_close(
        out, testing::load_npy(std::string("weir/signal/ops/blank/golden/") + mode + ".npy"), 1e-7);
  }
}

TEST(Blank, TakesTimesOnTheRecordingsClock) {
  StreamInfo stream = make_stream(1000, 1, 20);
  stream.segments.push_back(stream.segments[0]);
  stream.segments[0].frames = stream.segments[1].frames = 10;
  stream.segments[0].start_s = Rational(5);
  stream.segments[1].start_s = Rational(7);
  stream.segments[1].index = 1;
  const Samples in = testing::make_samples(20, 1, [](auto, auto) { return 1; });
  const Value params = around({5.003, 7.0, 99}, "zeros", 0.001, 0.002);
  const Samples out = run_operator(blank_operator(), params, stream, in).samples;
  for (std::int64_t t = 0; t < 20; ++t) {
    EXPECT_EQ(out(t, 0), (t >= 2 && t <= 4) || t == 10 || t == 11 ? 0 : 1) << t;
  }
  const auto step = blank_operator().plan(params, {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->decisions(), (std::vector<std::string>{"5 frames in 2 stretches are blanked",
                                                         "1 of 3 times lie in no segment"}));
}

TEST(Blank, MergesStretchesThatTouch) {
  Blank params;
  params.before_s = 0.002;
  params.after_s = 0.003;
  Segment segment;
  segment.frames = 100;
  std::int64_t inside = 0;
  const SampleRate rate = SampleRate::from_hz(1000);
  const auto stretches =
      blank_stretches(frames_of_times({0.05, 0.01, 0.055, 0.0999, -0.001}, segment, rate),
                      blank_reach(params, rate), segment.frames, inside);
  EXPECT_EQ(stretches, (std::vector<BlankStretch>{{0, 2}, {8, 13}, {48, 58}, {98, 100}}));
  EXPECT_EQ(inside, 3);
}

TEST(Blank, ReplacesNanAndLetsOthersPass) {
  Samples in = testing::make_samples(20, 1, [](std::int64_t t, std::int64_t) { return double(t); });
  in(10, 0) = std::nanf("");
  in(2, 0) = std::nanf("");
  const Samples out = run_operator(blank_operator(), around({0.010}, "linear", 0.001, 0.002),
                                   make_stream(1000, 1, 20), in)
                          .samples;
  EXPECT_EQ(out(10, 0), 10);
  EXPECT_TRUE(std::isnan(out(2, 0)));
}

TEST(Blank, ReadsTimesOfEventTables) {
  const testing::ScratchFolder folder;
  const auto write = [&](const char* text) {
    const auto path = folder.path() / "times.csv";
    testing::write_string(path, text);
    return path.string();
  };
  EXPECT_EQ(times_of_file(write("channel,onset_s,x\n3,0.25,a\r\n4,1e-3,b\n")),
            (std::vector<double>{0.25, 0.001}));
  EXPECT_EQ(times_of_file(write("0.5\n\n2\n")), (std::vector<double>{0.5, 2}));
  EXPECT_EQ(times_of_file(write("\xef\xbb\xbf"
                                "onset_s\r\n0.5\r\n")),
            (std::vector<double>{0.5}));
  EXPECT_EQ(times_of_file(write("\xef\xbb\xbf"
                                "0.5\n2\n")),
            (std::vector<double>{0.5, 2}));
  EXPECT_TRUE(times_of_file(write("")).empty());
  expect_error(ErrorCode::corrupt_data, "times.csv:2: \"soon\" is no time in seconds",
               [&] { times_of_file(write("1\nsoon\n")); });
  expect_error(ErrorCode::corrupt_data, "times.csv:2: \"\" is no time",
               [&] { times_of_file(write("a,onset_s\n1\n")); });
}

TEST(Blank, ConformsWithEvents) {
  const Value params(
      Value::Object{{"before_s", 0.004}, {"after_s", 0.006}, {"longest_event_s", 0.05}});
  testing::check_operator(blank_operator(), params, make_stream(1000, 37, 3000),
                          {.relative = 0, .with_events = true});
}

TEST(Blank, ConformsWithATableOfEvents) {
  const Value params(Value::Object{{"before_s", 0.004}, {"after_s", 0.006}, {"mode", "linear"}});
  testing::check_operator(blank_operator(), params, make_stream(1000, 37, 3000),
                          {.with_events = true, .events_known = true});
}

TEST(Blank, AroundEventsEqualsAroundTheirTimes) {
  const Samples in = testing::load_npy("weir/signal/ops/blank/golden/counts.npy");
  const StreamInfo stream = make_stream(1000, in.channels, in.frames);
  const Samples table{5, 5, {0,  1, 0,   1,   0,   50,  60, 55,  60, 1,   53,  70, 60,
                             70, 2, 200, 201, 200, 201, 0,  298, -1, 299, 300, 1}};
  Value params(Value::Object{{"before_s", 0.002}, {"after_s", 0.005}});
  const auto outcome = run_operator(blank_operator(), params, stream, in, {.frames = {17}},
                                    testing::table_events(table, stream, 3));
  testing::expect_identical(outcome.samples,
                            testing::load_npy("weir/signal/ops/blank/golden/zeros.npy"), "events");
  testing::GivenEvents known = testing::table_events(table, stream, 3);
  known.input.known = std::make_shared<const std::vector<EventList>>(known.segments);
  params.set("mode", "linear");
  testing::expect_close(run_operator(blank_operator(), params, stream, in, {}, known).samples,
                        testing::load_npy("weir/signal/ops/blank/golden/linear.npy"), 1e-7);
  params.set("mode", "zeros");
  params.set("longest_event_s", 0.012);
  const auto shorter = run_operator(blank_operator(), params, stream, in, {},
                                    testing::table_events(table, stream, 3));
  EXPECT_EQ(shorter.counters.front().count, 1) << shorter.counters.front().what;
  EXPECT_EQ(shorter.samples(57, 0), in(57, 0));
}

TEST(Blank, RefusesEventsBesideTimesAndLinesBetweenThem) {
  const StreamInfo stream = make_stream(1000, 1, 10);
  const auto refused = [&](const std::string& part, const Value& params) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      blank_operator().plan(
          params, {.in = stream, .events = op::EventsInput{stream, 0, 0}, .temporary_folder = {}});
    });
  };
  refused("times_s: events are given", around({1}, "zeros"));
  refused("mode: linear needs to know", Value(Value::Object{{"mode", "linear"}}));
}

TEST(Blank, NamesWhatIsWrong) {
  const auto refused = [](ErrorCode code, const std::string& part, const Value& params) {
    expect_error(code, part, [&] {
      blank_operator().plan(params, {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused(ErrorCode::invalid_spec, "times_s: neither it nor file is given", Value::object());
  refused(ErrorCode::invalid_spec, "before_s: -1", around({1}, "zeros", -1));
  refused(ErrorCode::invalid_spec, "times_s: nan", around({std::nan("")}, "zeros"));
  refused(ErrorCode::not_found, "no/such/file", Value(Value::Object{{"file", "no/such/file"}}));
}
}  // namespace
}  // namespace weir::signal
