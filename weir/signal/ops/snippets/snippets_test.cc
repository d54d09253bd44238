#include "weir/signal/ops/snippets/snippets.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"
#include "weir/testing/table_events.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::Samples;

constexpr double kRate = 1000;

Value window(double pre_s, double post_s, Value::Object more = {}) {
  more.insert(more.begin(), {{"pre_s", pre_s}, {"post_s", post_s}});
  return more;
}

Samples golden(const std::string& name) {
  return testing::load_npy("weir/signal/ops/snippets/golden/" + name + ".npy");
}

testing::Outcome cut(const Value& params, std::int64_t lag = 5) {
  const Samples in = golden("counts");
  const StreamInfo stream = make_stream(kRate, in.channels, in.frames);
  return run_operator(snippets_operator(), params, stream, in, {.frames = {31}},
                      table_events(golden("events"), stream, lag));
}

std::int64_t count_of(const testing::Outcome& outcome, const std::string& part) {
  for (const auto& counter : outcome.counters) {
    if (counter.what.find(part) != std::string::npos) {
      return counter.count;
    }
  }
  return -1;
}

TEST(Snippets, Conform) {
  StreamInfo stream = make_stream(kRate, 37, 3000);
  testing::check_operator(snippets_operator(), window(0.01, 0.02), stream, {.int16_input = true});
}

TEST(Snippets, ConformWithZerosAndOneChannel) {
  StreamInfo stream = make_stream(kRate, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(
      snippets_operator(),
      window(0.03, 0.002, {{"align", "onset"}, {"edge", "zero"}, {"channels", "own"}}), stream);
}

TEST(Snippets, ConformBeyondTheEvent) {
  testing::check_operator(snippets_operator(),
                          window(-0.005, 0.09, {{"longest_event_s", 0.02}, {"edge", "zero"}}),
                          make_stream(kRate, 37, 3000));
}

TEST(Snippets, EqualNumPy) {
  testing::expect_identical(cut(window(0.007, 0.012)).samples, golden("peaks"), "peaks");
  testing::expect_identical(
      cut(window(0.007, 0.012, {{"align", "onset"}, {"edge", "zero"}})).samples, golden("onsets"),
      "onsets");
  testing::expect_identical(cut(window(0.007, 0.012, {{"channels", "own"}})).samples, golden("own"),
                            "own");
}

TEST(Snippets, TakeTheNamesOfSpikeInterface) {
  const Value params(Value::Object{{"ms_before", 7.0}, {"ms_after", 12.0}});
  testing::expect_identical(cut(params).samples, golden("peaks"), "peaks");
}

TEST(Snippets, CountWhatTheyLeaveOut) {
  const auto outcome = cut(window(0.007, 0.012, {{"longest_event_s", 0.003}}));
  const std::int64_t rows = golden("events").frames;
  const std::int64_t too_long = count_of(outcome, "longer than longest_event_s");
  const std::int64_t cut_off = count_of(outcome, "over an end");
  EXPECT_GT(too_long, 0);
  EXPECT_GT(cut_off, 0);
  EXPECT_EQ(std::ssize(outcome.events) + too_long + cut_off, rows);
}

TEST(Snippets, BringNeighboursByDistance) {
  StreamInfo stream = make_stream(kRate, 3, 10);
  for (std::size_t c = 0; c < 3; ++c) {
    stream.channels[c].position = {0.0, c == 2 ? 15.0 : 40.0 * static_cast<double>(c), 0.0};
  }
  const Samples in = testing::make_samples(
      10, 3, [](std::int64_t t, std::int64_t c) { return static_cast<double>(10 * t + c); });
  const Samples table{2, 5, {4, 5, 4, 5, 0, 5, 6, 5, 6, 1}};
  const auto outcome = run_operator(snippets_operator(),
                                    window(0, 0.001, {{"channels", "radius"}, {"radius_um", 30.0}}),
                                    stream, in, {}, table_events(table, stream, 0));
  // Channel 2 is 15 um from the first and 25 um from the second, so that it alone has two
  // neighbours.
  EXPECT_EQ(outcome.samples.values, (std::vector<float>{40, 42, 0, 51, 52, 0}));
}

TEST(Snippets, TakeTheOwnChannelWhereNamesAreNotUnique) {
  StreamInfo stream = make_stream(kRate, 2, 10);
  stream.channels[0].name = stream.channels[1].name = "a";
  const Samples in = testing::make_samples(
      10, 2, [](std::int64_t t, std::int64_t c) { return static_cast<double>(10 * t + c); });
  const Samples table{1, 5, {4, 5, 4, 5, 1}};
  const auto outcome = run_operator(snippets_operator(), window(0, 0.001, {{"channels", "own"}}),
                                    stream, in, {}, table_events(table, stream, 0));
  EXPECT_EQ(outcome.samples.values, (std::vector<float>{41}));
  StreamInfo labels = stream;
  labels.channels.pop_back();
  expect_error(ErrorCode::invalid_spec, "more than one channel of that name", [&] {
    snippets_operator().plan(
        window(0, 0.001, {{"channels", "own"}}),
        {.in = stream, .events = op::EventsInput{labels, 0, 0}, .temporary_folder = {}});
  });
}

TEST(Snippets, NameWhatIsWrong) {
  const StreamInfo stream = make_stream(kRate, 2, 100);
  StreamInfo other = stream;
  other.channels[1].name = "elsewhere";
  const auto refused = [&](const std::string& part, const Value& params, const StreamInfo& found) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      snippets_operator().plan(
          params, {.in = stream, .events = op::EventsInput{found, 0, 0}, .temporary_folder = {}});
    });
  };
  refused("post_s: -0.002 s and pre_s 0.001 s make a window without a frame", window(0.001, -0.002),
          stream);
  refused("pre_s: is given as ms_before too",
          Value(Value::Object{{"pre_s", 0.001}, {"ms_before", 1.0}}), stream);
  refused("radius_um: belongs to channels = \"radius\"", window(0, 1, {{"channels", "radius"}}),
          stream);
  refused("channels: events are found on channel \"elsewhere\"",
          window(0, 1, {{"channels", "own"}}), other);
}

}  // namespace
}  // namespace weir::signal
