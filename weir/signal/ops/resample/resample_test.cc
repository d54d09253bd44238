#include "weir/signal/ops/resample/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/op/run_step.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_samples;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/resample/golden/";

Value golden_json(const std::string& name) {
  return formats::parse_json(read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + name));
}

constexpr const char* kCases[] = {"third",       "third_zero", "three_sevenths", "five_thirds",
                                  "double_zero", "thirtieth",  "hann",           "short_third",
                                  "two_frames",  "ten_frames"};

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples first_frames(const Samples& all, std::int64_t frames) {
  return make_samples(frames, all.channels,
                      [&](std::int64_t f, std::int64_t c) { return double{all(f, c)}; });
}

Samples resampled(const Samples& x, const Value& rules, double rate = 30000,
                  const Cuts& cuts = {}) {
  return run_operator(resample_operator(), rules, make_stream(rate, x.channels, x.frames), x, cuts)
      .samples;
}

std::unique_ptr<op::Step> plan(const Value& rules, const StreamInfo& in) {
  return resample_operator().plan(rules, {.in = in, .temporary_folder = {}});
}

TEST(Resample, EqualsScipyForAnyCut) {
  const Samples all = testing::load_npy(kGolden + "x.npy");
  const Value cases = golden_json("cases.json");
  ASSERT_EQ(cases.as_object().size(), std::size(kCases));
  for (const std::string name : kCases) {
    const Value& given = cases.at(name);
    Value rules = Value::object();
    std::int64_t frames = all.frames;
    for (const auto& [key, value] : given.as_object()) {
      if (key == "frames") {
        frames = value.as_integer();
      } else {
        rules.set(key, value);
      }
    }
    const Samples x = first_frames(all, frames);
    const Samples whole = resampled(x, rules);
    SCOPED_TRACE(name);
    testing::expect_close(whole, testing::load_npy(kGolden + name + ".npy"), 1e-6);
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(resampled(x, rules, 30000, cuts), whole, name);
    }
  }
}

TEST(Resample, EqualsItselfInAnyChannelGroups) {
  const Samples x = testing::noise(500, 70, 10);
  const Value rules = params({{"up", 3}, {"down", 7}});
  testing::expect_identical(resampled(x, rules, 30000, {.frames = {13}, .group_channels = 32}),
                            resampled(x, rules), "groups of 32");
}

TEST(Resample, DesignsTheFilterOfScipy) {
  const Value filters = golden_json("designs.json").at("resample");
  for (const auto& [name, expected] : filters.as_object()) {
    const auto ends = split(name, '/');
    const auto taps =
        resample_taps(parse_integer(ends[0]), parse_integer(ends[1]), {WindowKind::kaiser, {5}});
    ASSERT_EQ(taps.size(), expected.as_array().size());
    for (std::size_t i = 0; i < taps.size(); ++i) {
      EXPECT_NEAR(taps[i], expected.as_array()[i].as_number(), 1e-15) << name << " " << i;
    }
  }
}

TEST(Resample, DoublesASmallHatAsReported) {  // case A8
  const Samples x{7, 1, {0, 1, 2, 3, 2, 1, 0}};
  const Samples y = resampled(x, params({{"up", 2}, {"down", 1}, {"pad", "zero"}}));
  const Samples expected{14,
                         1,
                         {0, .468F, 1.0005F, 1.447F, 2.001F, 2.672F, 3.0016F, 2.672F, 2.001F,
                          1.447F, 1.0005F, .468F, 0, -.127F}};
  testing::expect_close(y, expected, 3e-4);
}

TEST(Resample, RoundsLengthsUp) {  // case A9
  const auto length = [](std::int64_t frames, std::int64_t up, std::int64_t down) {
    return resampled(testing::noise(frames, 1, 1), params({{"up", up}, {"down", down}})).frames;
  };
  EXPECT_EQ(length(1001, 1, 12), 84);
  EXPECT_EQ(length(10, 3, 7), 5);
  EXPECT_EQ(length(1, 5, 3), 2);
  EXPECT_EQ(length(12000, 1, 12), 1000);
  EXPECT_EQ(length(0, 1, 12), 0);
}

TEST(Resample, ExtendsASingleSampleAsAConstant) {
  const Samples y = resampled({1, 1, {1000}}, params({{"up", 5}, {"down", 3}}));
  const Samples longer = resampled(make_samples(50, 1, [](auto, auto) { return 1000; }),
                                   params({{"up", 5}, {"down", 3}}));
  ASSERT_EQ(y.frames, 2);
  EXPECT_EQ(y(0, 0), longer(0, 0));
  EXPECT_EQ(y(1, 0), longer(1, 0));
}

TEST(Resample, TellsTheNewRateAndRebasesSegments) {  // case A12
  StreamInfo in = make_stream(30000, 1, 90);
  in.segments = {{60, Rational(7, 2), 1500, 0}, {31, Rational(9), 60000, 2}};
  const auto step = plan(params({{"rate_hz", 1000.0}}), in);
  const op::Port& port = step->ports().front();
  EXPECT_EQ(port.stream.rate, SampleRate(Rational(1000)));
  EXPECT_EQ(port.ratio, Rational(1, 30));
  EXPECT_EQ(port.stream.segments[0], (Segment{2, Rational(7, 2), 0, 0}));
  EXPECT_EQ(port.stream.segments[1], (Segment{2, Rational(9), 0, 2}));
  EXPECT_EQ(port.stream.rate.seconds(100), 0.1);
}

TEST(Resample, KeepsTheRateExactWithinTheTolerance) {
  const auto step = plan(params({{"rate_hz", 1000.0}}), make_stream(30000.12, 1, 10));
  EXPECT_EQ(step->ports()[0].stream.rate.exact(), Rational(25000, 25) + Rational(1, 250));
  EXPECT_THAT(step->decisions()[0], ::testing::HasSubstr("1/30"));
  EXPECT_THAT(step->decisions()[0], ::testing::HasSubstr("601 taps"));
  EXPECT_THAT(step->decisions()[0], ::testing::HasSubstr("+4 ppm"));
  EXPECT_EQ(simplest_ratio(Rational(160, 147), 0), Rational(160, 147));
  EXPECT_EQ(simplest_ratio(Rational(333'333, 1'000'000), 2), Rational(1, 3));
  EXPECT_EQ(simplest_ratio(Rational(2'000'001, 1'000'000), 100), Rational(2));
}

TEST(Resample, PutsSampleKAtInputKTimesDown) {  // case A14
  const Samples bump = make_samples(2400, 1, [](std::int64_t f, std::int64_t) {
    return std::exp(-0.5 * std::pow(static_cast<double>(f - 1200) / 60, 2));
  });
  const Samples y = resampled(bump, params({{"up", 1}, {"down", 12}}));
  const auto peak = std::max_element(y.values.begin(), y.values.end()) - y.values.begin();
  EXPECT_EQ(peak, 100);
  for (std::int64_t i = 1; i < 60; ++i) {
    EXPECT_NEAR(y(100 + i, 0), y(100 - i, 0), 1e-6);
  }
}

TEST(Resample, HoldsTheSameMemoryForAnyLength) {  // case A15
  const auto bytes = [](std::int64_t frames) {
    return plan(params({{"up", 1}, {"down", 3}}), make_stream(30000, 64, frames))->state_bytes(64);
  };
  EXPECT_EQ(bytes(4'000'000), bytes(1000));
  EXPECT_LT(bytes(4'000'000), std::size_t{64} << 10);
}

TEST(Resample, SettlesAfterAStartInTheMiddle) {
  const Samples x = testing::noise(3000, 1, 10);
  for (const auto& [up, down] : {std::pair{1, 3}, std::pair{3, 7}, std::pair{5, 3}}) {
    const StreamInfo in = make_stream(30000, 1, x.frames);
    const auto step = plan(params({{"up", up}, {"down", down}}), in);
    const Samples whole = resampled(x, params({{"up", up}, {"down", down}}));
    const std::int64_t start = 700 / down * down;
    op::StepRun run(*step, {.first_frame = start, .channel_count = 1}, x.frames);
    Buffer rest(SampleType::float32, x.frames - start, 1);
    for (std::int64_t f = start; f < x.frames; ++f) {
      rest.as<float>()(f - start, 0) = x(f, 0);
    }
    std::int64_t output = start / down * up;
    const std::int64_t settled = (start + step->settle_frames()) * up / down + 1;
    const op::Receiver compare = [&](AnyBlock block, EventList&) {
      for (std::int64_t i = 0; i < block.frames(); ++i, ++output) {
        if (output >= settled) {
          EXPECT_EQ(block.as<float>()(i, 0), whole(output, 0)) << output;
        }
      }
    };
    run.push(rest.block(), compare);
    run.finish(compare);
    EXPECT_EQ(output, whole.frames);
  }
}

TEST(Resample, PassesSamplesAtTheSameRate) {
  const StreamInfo in = make_stream(30000, 1, 10);
  const auto step = plan(params({{"rate_hz", 30000.0}}), in);
  EXPECT_TRUE(step->relabels_only());
  EXPECT_EQ(step->ports()[0].stream, in);
}

TEST(Resample, NamesTheFieldThatIsWrong) {
  const StreamInfo in = make_stream(30000, 1, 10);
  const auto refuses = [&](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] { plan(rules, in); });
  };
  refuses("rate_hz", params({}));
  refuses("rate_hz", params({{"rate_hz", 1000.0}, {"up", 1}}));
  refuses("down", params({{"up", 1}}));
  refuses("1/5003 needs 100061 taps", params({{"up", 1}, {"down", 5003}}));
  refuses("rate_hz: the ratio", params({{"rate_hz", 29999.7}, {"rate_tolerance_ppm", 0.0}}));
  refuses("window", params({{"up", 1}, {"down", 2}, {"window", "kaiser"}}));
}

TEST(Resample, Conforms) {
  testing::check_operator(resample_operator(), params({{"up", 1}, {"down", 3}}),
                          make_stream(30000, 5, 1000));
  testing::check_operator(resample_operator(), params({{"up", 5}, {"down", 3}, {"pad", "zero"}}),
                          make_stream(30000, 5, 1000));
}

}  // namespace
}  // namespace weir::signal
