#include "weir/signal/ops/crossings/crossings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "weir/core/temporary_file.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/op/run_step.h"
#include "weir/testing/conformance.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_samples;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const std::string kGolden = "weir/signal/ops/crossings/golden/";

Value golden_json(const std::string& name) {
  return formats::parse_json(read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + name));
}

StreamInfo golden_stream(std::int64_t frames, std::int64_t channels) {
  constexpr double kGains[] = {1.0, -0.5, 0.195, -0.03};
  StreamInfo stream = make_stream(1000, channels, frames);
  for (std::size_t i = 0; i < stream.channels.size(); ++i) {
    stream.channels[i].gain = kGains[i % 4];
  }
  return stream;
}

EventList golden_events(const std::string& name) {
  const Samples table = testing::load_npy(kGolden + name + ".npy");
  EventList events;
  for (std::int64_t row = 0; row < table.frames; ++row) {
    const auto at = [&](std::int64_t column) {
      return static_cast<std::int64_t>(table(row, column));
    };
    events.push_back({.onset = at(0),
                      .offset = at(1),
                      .peak = at(2),
                      .final = at(3),
                      .peak_value = table(row, 6),
                      .channel = static_cast<std::int32_t>(at(4)),
                      .segment = static_cast<std::uint32_t>(at(7)),
                      .polarity = static_cast<std::int8_t>(at(5))});
  }
  return events;
}

constexpr const char* kCases[] = {
    "above", "below",      "above_negative", "release", "release_below",  "release_past_zero",
    "short", "refractory", "both",           "either",  "either_release", "either_zero",
    "mad",   "sd"};

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

/// One channel at 1000 Hz.
EventList events_of(const std::vector<float>& x, const Value& rules, double gain = 1,
                    const Cuts& cuts = {}) {
  const auto frames = static_cast<std::int64_t>(x.size());
  StreamInfo stream = make_stream(1000, 1, frames);
  stream.channels[0].gain = gain;
  return run_operator(crossings_operator(), rules, stream, {frames, 1, x}, cuts).events;
}

std::unique_ptr<op::Step> plan(const Value& rules, const StreamInfo& in) {
  return crossings_operator().plan(rules, {.in = in, .temporary_folder = temporary_folder({})});
}

TEST(Crossings, EqualsTheRulesInPlainPythonForAnyCut) {
  const Samples counts = testing::load_npy(kGolden + "counts.npy");
  const StreamInfo stream = golden_stream(counts.frames, counts.channels);
  const Value cases = golden_json("cases.json");
  ASSERT_EQ(cases.as_object().size(), std::size(kCases));
  for (const std::string name : kCases) {
    const Value& rules = cases.at(name);
    const EventList expected = golden_events(name);
    ASSERT_FALSE(expected.empty()) << name;
    for (const Cuts& cuts : {Cuts{}, Cuts{.frames = {1}}, Cuts{.frames = {7, 13, 64, 1, 129}},
                             Cuts{.frames = {63, 65}, .reload_state = true}}) {
      EXPECT_EQ(run_operator(crossings_operator(), rules, stream, counts, cuts).events, expected)
          << name;
    }
  }
}

TEST(Crossings, EqualsItselfInAnyChannelGroups) {
  const StreamInfo stream = golden_stream(3000, 70);
  const Samples counts = testing::noise(3000, 70, 10);
  const Value rules = params({{"level", 2.0}, {"level_unit", "mad"}});
  const auto whole = run_operator(crossings_operator(), rules, stream, counts).events;
  EXPECT_GT(whole.size(), 100U);
  EXPECT_EQ(run_operator(crossings_operator(), rules, stream, counts,
                         {.frames = {11}, .group_channels = 32})
                .events,
            whole);
}

TEST(Crossings, StartsNothingAtTheFirstSampleOfASegment) {
  EXPECT_TRUE(events_of({9, 9, 0, 0}, params({{"level", 5.0}})).empty());
  StreamInfo two = make_stream(1000, 1, 4);
  two.segments = {{2, Rational(0), 0, 0}, {2, Rational(1), 0, 1}};
  EXPECT_TRUE(
      run_operator(crossings_operator(), params({{"level", 5.0}}), two, {4, 1, {0, 0, 9, 9}})
          .events.empty());
}

TEST(Crossings, NamesTheSegmentAndCountsFromItsFirstFrame) {
  StreamInfo two = make_stream(1000, 1, 7);
  two.segments = {{3, Rational(0), 0, 0}, {4, Rational(1), 500, 1}};
  const auto events = run_operator(crossings_operator(), params({{"level", 5.0}}), two,
                                   {7, 1, {0, 0, 0, 0, 6, 7, 0}})
                          .events;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0], (Event{.onset = 1,
                              .offset = 3,
                              .peak = 2,
                              .final = 3,
                              .peak_value = 7,
                              .channel = 0,
                              .segment = 1,
                              .polarity = 1}));
}

TEST(Crossings, NanStartsNothingAndEndsNothing) {
  EXPECT_TRUE(events_of({0, kNan, 9, 9, 0}, params({{"level", 5.0}})).empty());
  const auto events = events_of({0, 6, kNan, kNan, 8, 0}, params({{"level", 5.0}}));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].offset, 5);
  EXPECT_EQ(events[0].peak, 4);
}

TEST(Crossings, KeepsAnOpenEventAtTheEndWhenLongEnough) {
  const auto events =
      events_of({0, 0, 6, 7, 7}, params({{"level", 5.0}, {"min_duration_s", 0.003}}));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].offset, Event::kOpen);
  EXPECT_EQ(events[0].final, 5);
  EXPECT_EQ(events[0].peak, 3);
  EXPECT_TRUE(
      events_of({0, 0, 0, 7, 7}, params({{"level", 5.0}, {"min_duration_s", 0.003}})).empty());
}

TEST(Crossings, HoldsAnEventUntilTheRelease) {
  const auto events = events_of({0, 6, 3, 6, 2, 1, 0}, params({{"level", 5.0}, {"release", 2.0}}));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].onset, 1);
  EXPECT_EQ(events[0].offset, 5);
}

TEST(Crossings, WantsAFreshCrossingAfterTheRefractoryTime) {
  // Offset at 2; the crossing at 3 comes too early, and staying above at 5 is no crossing.
  const Value rules = params({{"level", 5.0}, {"refractory_s", 0.003}});
  EXPECT_EQ(events_of({0, 6, 0, 6, 6, 6, 6, 0}, rules).size(), 1U);
  EXPECT_EQ(events_of({0, 6, 0, 6, 0, 6, 6, 0}, rules).size(), 2U);
}

TEST(Crossings, DroppedEventsStartNoRefractoryTime) {
  const Value rules = params({{"level", 5.0}, {"refractory_s", 0.01}, {"min_duration_s", 0.002}});
  const auto events = events_of({0, 6, 0, 6, 6, 0, 6, 6, 0}, rules);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].onset, 3);
}

TEST(Crossings, EitherClosesAndOpensWhereOneJumpPassesBothLevels) {
  const Value rules = params({{"level", 5.0}, {"direction", "either"}});
  const auto events = events_of({0, 6, -7, -6, 0}, rules);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].offset, 2);
  EXPECT_EQ(events[0].polarity, 1);
  EXPECT_EQ(events[1].onset, 2);
  EXPECT_EQ(events[1].polarity, -1);
  EXPECT_EQ(events[1].peak_value, -7);
}

TEST(Crossings, NegativeGainsTurnTheDirection) {
  const auto events = events_of({0, 6, 9, 0, -6, 0}, params({{"level", -2.5}}), -0.5);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].onset, 1);
  EXPECT_EQ(events[0].polarity, -1);
  EXPECT_EQ(events[0].peak_value, 9);
}

TEST(Crossings, ComparesCountsAsPhysicalValuesInFloat64) {
  for (const double gain : {0.195, 2.34375, 1e-9, 3.05176, 1.0 / 3}) {
    for (const double level : {-40.0, -1.0, 0.0, 1e-7, 0.195 * 7, 50.0, 1e6}) {
      const float lowest = lowest_count_at(level, gain);
      EXPECT_GE(double{lowest} * gain, level);
      EXPECT_LT(double{std::nextafter(lowest, -1e30F)} * gain, level) << level << " " << gain;
    }
  }
  EXPECT_TRUE(std::isnan(lowest_count_at(std::nan(""), 1)));
}

TEST(Crossings, CountsDurationsInExactDecimals) {
  // 0.0011 * 30000.12 = 33.000132: 34 frames; 0.001 * 30000 is 30 although 0.001 is not exact.
  EXPECT_EQ(crossing_rules({.level = 1, .refractory_s = 0.0011}, SampleRate::from_hz(30000.12))
                .refractory_frames,
            34);
  EXPECT_EQ(
      crossing_rules({.level = 1, .min_duration_s = 0.001}, SampleRate::from_hz(30000)).min_frames,
      30);
}

TEST(Crossings, PlacesEventsPastTheThirtyFirstBit) {
  const std::int64_t start = (std::int64_t{1} << 31) - 2;  // case B19
  const StreamInfo in = make_stream(30000, 1, start + 40);
  const auto step = plan(params({{"level", 5.0}}), in);
  op::StepRun run(*step,
                  {.segment = 0, .first_frame = start, .first_channel = 0, .channel_count = 1}, 40);
  Buffer block(SampleType::float32, 40, 1);
  block.as<float>()(12, 0) = 9;
  EventList found;
  const op::Receiver receive = [&](AnyBlock, EventList& events) {
    found.insert(found.end(), events.begin(), events.end());
  };
  run.push(block.block(), receive);
  run.finish(receive);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].onset, 2'147'483'648 + 10);
  EXPECT_EQ(found[0].offset, 2'147'483'648 + 11);
}

TEST(Crossings, OrdersRowsByFinalSampleThenChannel) {
  StreamInfo in = make_stream(1000, 3, 200);
  const Samples x = make_samples(200, 3, [](std::int64_t t, std::int64_t c) {
    return (c == 0 && t > 10 && t < 150) || (c == 1 && t % 50 == 20) || (c == 2 && t == 149) ? 9
                                                                                             : 0;
  });
  const auto events = run_operator(crossings_operator(), params({{"level", 5.0}}), in, x).events;
  ASSERT_EQ(events.size(), 6U);
  EXPECT_TRUE(std::is_sorted(events.begin(), events.end(), row_before));
  EXPECT_EQ(events[3].channel, 0);
  EXPECT_EQ(events[4].channel, 2);
}

TEST(Crossings, RefusesImpossibleLevelsByName) {
  const StreamInfo in = make_stream(1000, 1, 100);
  const auto refuses = [&](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] { plan(rules, in); });
  };
  refuses("level", params({}));
  refuses("release", params({{"level", 5.0}, {"release", 6.0}}));
  refuses("release", params({{"level", -5.0}, {"release", -6.0}}));
  refuses("level", params({{"level", -5.0}, {"direction", "either"}}));
  refuses("release", params({{"level", 5.0}, {"release", -1.0}, {"direction", "either"}}));
  refuses("refractory_s", params({{"level", 5.0}, {"refractory_s", -1.0}}));
  refuses("level_unit", params({{"level", 5.0}, {"level_unit", "rms"}}));
}

TEST(Crossings, Conforms) {
  StreamInfo in = make_stream(1000, 5, 1000);
  in.channels[1].gain = -0.5;
  testing::check_operator(crossings_operator(),
                          params({{"level", -2.0}, {"level_unit", "mad"}, {"refractory_s", 0.003}}),
                          in);
}

TEST(Crossings, ConformsOnBothSidesWithLongEvents) {
  StreamInfo in = make_stream(1000, 5, 1000);
  in.channels[1].gain = -0.5;
  const Value either =
      params({{"level", 40.0}, {"direction", "either"}, {"release", 0.0}, {"refractory_s", 0.0}});
  testing::check_operator(crossings_operator(), either, in);
  testing::check_operator(crossings_operator(),
                          params({{"level", 60.0}, {"release", -90.0}, {"min_duration_s", 0.02}}),
                          in);
}

class CrossingsOnDevice : public ::testing::TestWithParam<const char*> {};

// More words of marks than a group has items, more blocks of them than it looks at, and events that
// last over many of both.
TEST_P(CrossingsOnDevice, FindsTheSameInALongBlock) {
  const auto device = testing::device_or_skip(GetParam());
  if (device == nullptr) {
    return;
  }
  Samples in = testing::noise(300'000, 1, 20);
  for (std::int64_t t = 40'000; t < in.frames; ++t) {
    in(t, 0) += t % 90'000 < 70'000 ? 0.0F : 300.0F;
    in(t, 0) -= t > 260'000 && t < 270'000 ? 300.0F : 0.0F;
    in(t, 0) *= t < 60'000 ? 0.1F : 1.0F;
  }
  for (const auto& [level, direction] :
       {std::pair{25.0, "above"}, {-25.0, "below"}, {25.0, "either"}}) {
    const Value spec = params({{"level", level}, {"direction", direction}, {"release", level / 5}});
    const auto bound = testing::bind(crossings_operator(), spec, make_stream(1000, 1, in.frames));
    const Buffer data = testing::formed(bound, bound.in, in);
    const auto found = testing::run_on_device(bound, data.block(), *device).events;
    EXPECT_EQ(found, testing::run_bound(bound, data.block()).events) << direction;
    EXPECT_GT(found.size(), 5'000U);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, CrossingsOnDevice, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& test) { return std::string(test.param); });

// Each sample crosses a level: no more events can be, and there is room for all.
TEST(Crossings, PromisesADeviceTheRoomThatTheWorstSignalNeeds) {
  const Samples in = make_samples(64, 2, [](auto t, auto) { return t % 2 == 0 ? -9 : 9; });
  const StreamInfo stream = make_stream(1000, 2, in.frames);
  for (const auto& [direction, count] : {std::pair{"above", 64}, std::pair{"either", 126}}) {
    const Value spec = params({{"level", 5.0}, {"direction", direction}});
    const auto bound = testing::bind(crossings_operator(), spec, stream);
    const Buffer data = testing::formed(bound, stream, in);
    const auto device = compute::open_device("host");
    const auto found = testing::run_on_device(bound, data.block(), *device).events;
    EXPECT_EQ(found, testing::run_bound(bound, data.block()).events);
    EXPECT_EQ(found.size(), static_cast<std::size_t>(count));
  }
}

}  // namespace
}  // namespace weir::signal
