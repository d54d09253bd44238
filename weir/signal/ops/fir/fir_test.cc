#include "weir/signal/ops/fir/fir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/event_table.h"
#include "weir/formats/json.h"
#include "weir/signal/ops/crossings/crossings.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_samples;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/fir/golden/";

constexpr const char* kCases[] = {"causal",      "centred",         "causal_given",
                                  "causal_odd",  "causal_reflect",  "causal_nearest",
                                  "centred_odd", "centred_reflect", "centred_nearest",
                                  "short_odd",   "short_reflect",   "short_causal",
                                  "long",        "zero_phase",      "zero_phase_given"};

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples filtered(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(fir_operator(), rules, make_stream(30000, x.channels, x.frames), x, cuts)
      .samples;
}

Value numbers(std::initializer_list<double> values) {
  Value list = Value::array();
  for (const double value : values) {
    list.push_back(value);
  }
  return list;
}

TEST(Fir, EqualsScipyForAnyCut) {
  const Samples all = testing::load_npy(kGolden + "x.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
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
    const Samples x = make_samples(
        frames, all.channels, [&](std::int64_t f, std::int64_t c) { return double{all(f, c)}; });
    const Samples whole = filtered(x, rules);
    SCOPED_TRACE(name);
    // Full scale of the sums is that of the input; high-pass outputs are far below it.
    const Samples expected = testing::load_npy(kGolden + name + ".npy");
    ASSERT_EQ(whole.frames, expected.frames);
    for (std::size_t i = 0; i < whole.values.size(); ++i) {
      ASSERT_NEAR(whole.values[i], expected.values[i], 300e-6) << i;
    }
    for (const char* method : {"auto", "fft"}) {
      rules.set("method", method);
      const Samples summed = filtered(x, rules);
      testing::expect_close(summed, whole, 1e-6);
      for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                               Cuts{.frames = {5, 100}, .reload_state = true}}) {
        testing::expect_identical(filtered(x, rules, cuts), summed, name);
      }
    }
  }
}

TEST(Fir, GivesItsTapsForAnImpulse) {
  Samples impulse{8, 1, {0, 0, 1, 0, 0, 0, 0, 0}};
  const Value taps = numbers({1, 2, 3});
  testing::expect_identical(filtered(impulse, params({{"taps", taps}})),
                            {8, 1, {0, 0, 1, 2, 3, 0, 0, 0}}, "causal");
  testing::expect_identical(filtered(impulse, params({{"taps", taps}, {"mode", "centred"}})),
                            {8, 1, {0, 1, 2, 3, 0, 0, 0, 0}}, "centred");
}

TEST(Fir, SpreadsNanOverItsSupportAlone) {
  Samples x = testing::noise(60, 2, 1);
  x(20, 1) = std::numeric_limits<float>::quiet_NaN();
  const Samples y = filtered(
      x, params({{"taps", numbers({1, 2, 3, 2, 1})}, {"mode", "centred"}, {"edge", "odd"}}));
  for (std::int64_t f = 0; f < 60; ++f) {
    EXPECT_FALSE(std::isnan(y(f, 0)));
    EXPECT_EQ(std::isnan(y(f, 1)), f >= 18 && f <= 22) << f;
  }
}

Value long_filter(std::int64_t length, const char* method) {
  return params({{"band", "lowpass"},
                 {"cutoff_hz", 2000.0},
                 {"length", length},
                 {"mode", "centred"},
                 {"edge", "odd"},
                 {"method", method}});
}

TEST(Fir, SumsTheSameByTransforms) {
  for (const std::int64_t length : {1, 3, 15, 33, 129, 501, 2049}) {
    for (const std::int64_t frames : {7, 100, 1000, 6000}) {
      const Samples x = testing::noise(frames, 35, 10);
      // Odd continuations of a short segment grow far beyond it, and the rounding with them.
      testing::expect_close(filtered(x, long_filter(length, "fft")),
                            filtered(x, long_filter(length, "direct")),
                            frames < length / 20 ? 1e-5 : 1e-6);
    }
  }
}

TEST(Fir, SpreadsWhatIsNotFiniteOverItsSupportAloneByTransforms) {
  const Samples clean = testing::noise(3000, 35, 10);
  Samples x = clean;
  x(1200, 1) = std::numeric_limits<float>::quiet_NaN();
  x(40, 17) = std::numeric_limits<float>::infinity();
  x(2999, 34) = 3e37F;
  const Samples without = filtered(clean, long_filter(201, "fft"));
  const Samples y = filtered(x, long_filter(201, "fft"));
  const Samples direct = filtered(x, long_filter(201, "direct"));
  for (std::int64_t f = 0; f < x.frames; ++f) {
    ASSERT_EQ(std::isfinite(y(f, 1)), f < 1100 || f > 1300) << f;
    ASSERT_EQ(std::isfinite(y(f, 17)), f > 140) << f;
    ASSERT_NEAR(y(f, 34), direct(f, 34), 1e-4 + 1e-6 * std::fabs(direct(f, 34))) << f;
    ASSERT_EQ(y(f, 0), without(f, 0)) << f;
    ASSERT_EQ(y(f, 33), without(f, 33)) << f;
  }
}

TEST(Fir, SumsByTransformsWhereThereAreManyTaps) {
  const auto says = [](std::int64_t length, const char* method) {
    return fir_operator()
        .plan(long_filter(length, method),
              {.in = make_stream(30000, 1, 100), .temporary_folder = {}})
        ->decisions()[0];
  };
  EXPECT_THAT(says(95, "auto"), ::testing::HasSubstr("direct sum in float32: 95 multiply-adds"));
  EXPECT_THAT(says(601, "auto"), ::testing::HasSubstr("transforms of 2048 rows, blocks of 2896"));
  EXPECT_THAT(says(63, "fft"), ::testing::HasSubstr("transforms of"));
  EXPECT_THAT(says(601, "direct"), ::testing::HasSubstr("direct"));
}

TEST(Fir, KeepsAConstantWithEveryEdgeButZero) {
  const Samples x = make_samples(100, 1, [](auto, auto) { return 1000; });
  for (const char* edge : {"odd", "reflect", "nearest"}) {
    for (const char* mode : {"causal", "centred"}) {
      const Samples y = filtered(x, params({{"band", "lowpass"},
                                            {"cutoff_hz", 3000.0},
                                            {"length", 21},
                                            {"edge", edge},
                                            {"mode", mode}}));
      for (const float value : y.values) {
        ASSERT_NEAR(value, 1000, 1e-3) << edge << " " << mode;
      }
    }
  }
}

TEST(Fir, TellsTheDelayOfACausalSymmetricFilter) {
  const auto delay = [](const Value& rules) {
    return fir_operator()
        .plan(rules, {.in = make_stream(30000, 1, 100), .temporary_folder = {}})
        ->ports()[0]
        .delay_frames;
  };
  EXPECT_EQ(delay(params({{"taps", numbers({1, 2, 2, 1})}})), Rational(3, 2));
  EXPECT_EQ(delay(params({{"taps", numbers({1, 2, 3})}})), Rational(0));
  EXPECT_EQ(delay(params({{"taps", numbers({1, 2, 1})}, {"mode", "centred"}})), Rational(0));
}

/// The onset on the recording's clock of the one event after a filter whose taps peak in the
/// middle.
double onset_after(const char* mode) {
  Samples impulse{300, 1, std::vector<float>(300)};
  impulse(120, 0) = 1;
  StreamInfo in = make_stream(30000, 1, 300);
  in.segments[0].start_s = Rational(2);
  const Value rules = params({{"taps", numbers({1, 2, 3, 2, 1})}, {"mode", mode}});
  const Samples y = run_operator(fir_operator(), rules, in, impulse).samples;
  const auto found = run_operator(crossings_operator(), params({{"level", 2.5}}), in, y).events;
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? 0 : formats::to_row(found[0], {in}).onset_s;
}

TEST(Fir, LetsEventsHappenInTimeWhenCentredAndLaterByItsDelayWhenCausal) {
  EXPECT_DOUBLE_EQ(onset_after("centred"), 2 + 120 / 30000.0);
  EXPECT_DOUBLE_EQ(onset_after("causal"), 2 + (120 + 2) / 30000.0);
}

TEST(Fir, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      fir_operator().plan(rules, {.in = make_stream(30000, 1, 100), .temporary_folder = {}});
    });
  };
  const Value band{"bandpass"};
  refuses("band", params({}));
  refuses("cutoff_hz: 1 values", params({{"band", band}, {"cutoff_hz", 300.0}, {"length", 31}}));
  refuses("Nyquist (15000 Hz)",
          params({{"band", band}, {"cutoff_hz", numbers({300, 15000})}, {"length", 31}}));
  refuses("300 Hz is not below 300 Hz",
          params({{"band", band}, {"cutoff_hz", numbers({300, 300})}, {"length", 31}}));
  refuses("length: is required", params({{"band", "lowpass"}, {"cutoff_hz", 300.0}}));
  refuses("length: 64 is even",
          params({{"band", "lowpass"}, {"cutoff_hz", 300.0}, {"length", 64}}));
  refuses("not both", params({{"taps", numbers({1})}, {"length", 3}}));
  refuses("no middle", params({{"taps", numbers({1, 1})}, {"mode", "centred"}}));
  refuses("not a finite", params({{"taps", numbers({1, 1e300})}}));
  refuses("window", params({{"taps", numbers({1})}, {"window", "tuckey"}}));
  const auto low = [&](std::initializer_list<Value::Member> more) {
    Value rules = params({{"band", "lowpass"}, {"cutoff_hz", 300.0}});
    for (const auto& [key, value] : more) {
      rules.set(key, value);
    }
    return rules;
  };
  refuses("length: 101 taps are fewer than the 545 that 60 dB over 200 Hz need",
          low({{"attenuation_db", 60.0}, {"transition_hz", 200.0}, {"length", 101}}));
  refuses("transition_hz: is required beside", low({{"attenuation_db", 60.0}}));
  refuses("transition_hz: a window's width", low({{"length", 101}, {"transition_hz", 200.0}}));
  refuses("window: give either",
          low({{"attenuation_db", 60.0}, {"length", 101}, {"window", "hann"}}));
  refuses("window: kaiser_bessel_derived",
          low({{"length", 101}, {"window", "kaiser_bessel_derived 4"}}));
  refuses("transition_hz: is required", low({{"length", 101}, {"design", "equiripple"}}));
  refuses("transition_hz: 700 Hz leave no room",
          low({{"length", 101}, {"design", "equiripple"}, {"transition_hz", 700.0}}));
  refuses(
      "weight: 1 values for 2 bands",
      low({{"length", 101}, {"design", "equiripple"}, {"transition_hz", 200.0}, {"weight", 1.0}}));
  refuses("desired: is for the designs", low({{"length", 101}, {"desired", 1.0}}));
  refuses("desired: 1 gains, but bands_hz has 4 edges",
          params({{"design", "least_squares"},
                  {"length", 31},
                  {"bands_hz", numbers({0, 300, 500, 15000})},
                  {"desired", 1.0}}));
  refuses("bands_hz: 500 and 400 Hz do not rise",
          params({{"design", "least_squares"},
                  {"length", 31},
                  {"bands_hz", numbers({0, 500, 400, 15000})},
                  {"desired", numbers({1, 0})}}));
  refuses("length: 1003 taps; this design makes 3 to 1001",
          low({{"length", 1003}, {"design", "equiripple"}, {"transition_hz", 200.0}}));
}

TEST(Fir, Conforms) {
  const StreamInfo in = make_stream(30000, 5, 1000);
  const Value design =
      params({{"band", "bandpass"}, {"cutoff_hz", numbers({300, 6000})}, {"length", 63}});
  testing::check_operator(fir_operator(), design, in);
  Value centred = design;
  centred.set("mode", "centred");
  centred.set("edge", "odd");
  testing::check_operator(fir_operator(), centred, in);
  Value reflecting = design;
  reflecting.set("edge", "reflect");
  testing::check_operator(fir_operator(), reflecting, in);
  Value fast = long_filter(33, "fft");
  testing::check_operator(fir_operator(), fast, in);
  fast.set("mode", "causal");
  testing::check_operator(fir_operator(), fast, in);
  Value twice = design;
  twice.set("length", 31);
  twice.set("mode", "zero_phase");
  twice.set("edge", "nearest");
  testing::check_operator(fir_operator(), twice, in);
}

}  // namespace
}  // namespace weir::signal
