#include "weir/signal/ops/savgol/savgol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/savgol/golden/";

Value golden(const char* file) {
  return formats::parse_json(read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + file));
}

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples smoothed(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(savgol_operator(), rules, make_stream(30000, x.channels, x.frames), x, cuts)
      .samples;
}

TEST(Savgol, EqualsScipyForAnyCut) {
  const Samples all = testing::load_npy(kGolden + "x.npy");
  const Value cases = golden("cases.json");
  ASSERT_EQ(cases.as_object().size(), 9U);
  for (const auto& [name, given] : cases.as_object()) {
    SCOPED_TRACE(name);
    Value rules = Value::object();
    std::int64_t frames = all.frames;
    for (const auto& [key, value] : given.as_object()) {
      if (key == "frames") {
        frames = value.as_integer();
      } else {
        rules.set(key, value);
      }
    }
    const Samples x = testing::make_samples(
        frames, all.channels, [&](std::int64_t f, std::int64_t c) { return double{all(f, c)}; });
    const Samples expected = testing::load_npy(kGolden + name + ".npy");
    const Samples whole = smoothed(x, rules);
    ASSERT_EQ(whole.frames, expected.frames);
    // Full scale of the sums is that of the input; derivatives are far below it.
    for (std::size_t i = 0; i < whole.values.size(); ++i) {
      ASSERT_NEAR(whole.values[i], expected.values[i], 300e-6) << i;
    }
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(smoothed(x, rules, cuts), whole, name);
    }
  }
}

TEST(Savgol, WeighsASampleAsLeastSquaresOf50Digits) {
  const Value all = golden("weights.json");
  for (const Value& one : all.as_array()) {
    const auto read = [&](const char* key) { return one.at(key).as_integer(); };
    const Savgol fit{read("window_length"), read("polyorder"), read("deriv")};
    const auto weights = savgol_weights(fit, read("at"));
    const auto& expected = one.at("weights").as_array();
    double largest = 0;
    for (const Value& weight : expected) {
      largest = std::max(largest, std::fabs(weight.as_number()));
    }
    ASSERT_EQ(weights.size(), expected.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_NEAR(weights[i], expected[i].as_number(), 2e-14 * largest) << i;
    }
  }
}

TEST(Savgol, KeepsPolynomialsUpToTheEnds) {
  const auto cubic = [](std::int64_t f, auto) {
    const double t = static_cast<double>(f) / 100;
    return 3 - 2 * t + t * t - 0.3 * t * t * t;
  };
  const Samples x = testing::make_samples(300, 1, cubic);
  const Samples y = smoothed(x, params({{"window_length", 25}, {"polyorder", 3}}));
  for (std::int64_t f = 0; f < 300; ++f) {
    ASSERT_NEAR(y(f, 0), cubic(f, 0), 2e-6) << f;
  }
}

TEST(Savgol, SpreadsNanOverItsWindowAlone) {
  Samples x = testing::noise(200, 2, 1);
  x(3, 0) = std::numeric_limits<float>::quiet_NaN();
  x(100, 1) = std::numeric_limits<float>::quiet_NaN();
  const Samples y = smoothed(x, params({{"window_length", 11}, {"polyorder", 3}}));
  for (std::int64_t f = 0; f < 200; ++f) {
    EXPECT_EQ(std::isnan(y(f, 0)), f <= 8) << f;
    EXPECT_EQ(std::isnan(y(f, 1)), f >= 95 && f <= 105) << f;
  }
}

TEST(Savgol, TellsTheUnitOfDerivatives) {
  const auto unit = [](const Value& rules) {
    return savgol_operator()
        .plan(rules, {.in = make_stream(1000, 1, 100), .temporary_folder = {}})
        ->ports()[0]
        .stream.channels[0]
        .unit;
  };
  EXPECT_EQ(unit(params({{"window_length", 5}, {"polyorder", 2}})), "uV");
  EXPECT_EQ(unit(params({{"window_length", 5}, {"polyorder", 2}, {"deriv", 1}})), "uV/sample");
  EXPECT_EQ(unit(params({{"window_length", 5}, {"polyorder", 2}, {"deriv", 2}, {"delta", 0.001}})),
            "uV/s^2");
}

TEST(Savgol, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      savgol_operator().plan(rules, {.in = make_stream(30000, 1, 20), .temporary_folder = {}});
    });
  };
  refuses("window_length: is required", params({{"polyorder", 2}}));
  refuses("polyorder: is required", params({{"window_length", 5}}));
  refuses("window_length: 4 is even", params({{"window_length", 4}, {"polyorder", 2}}));
  refuses("polyorder: 5 is not below window_length (5)",
          params({{"window_length", 5}, {"polyorder", 5}}));
  refuses("window_length: segment 0 has 20 samples; mode \"interp\" fits windows of 21",
          params({{"window_length", 21}, {"polyorder", 2}}));
  refuses("\"wrap\" is not one of: interp, mirror",
          params({{"window_length", 5}, {"polyorder", 2}, {"mode", "wrap"}}));
}

TEST(Savgol, Conforms) {
  const StreamInfo in = make_stream(30000, 5, 1000);
  testing::check_operator(savgol_operator(), params({{"window_length", 11}, {"polyorder", 3}}), in);
  testing::check_operator(
      savgol_operator(),
      params({{"window_length", 11}, {"polyorder", 3}, {"deriv", 1}, {"mode", "mirror"}}), in);
}

}  // namespace
}  // namespace weir::signal
