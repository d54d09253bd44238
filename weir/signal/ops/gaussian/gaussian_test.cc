#include "weir/signal/ops/gaussian/gaussian.h"

#include <gtest/gtest.h>

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

const std::string kGolden = "weir/signal/ops/gaussian/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples smoothed(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(gaussian_operator(), rules, make_stream(30000, x.channels, x.frames), x, cuts)
      .samples;
}

TEST(Gaussian, EqualsScipyForAnyCut) {
  const Samples all = testing::load_npy(kGolden + "x.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
  ASSERT_EQ(cases.as_object().size(), 10U);
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
    for (const char* method : {"direct", "fft"}) {
      rules.set("method", method);
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
}

TEST(Gaussian, TellsTheUnitOfDerivatives) {
  const auto unit = [](std::int64_t order) {
    return gaussian_operator()
        .plan(params({{"sigma", 2.0}, {"order", order}}),
              {.in = make_stream(30000, 1, 100), .temporary_folder = {}})
        ->ports()[0]
        .stream.channels[0]
        .unit;
  };
  EXPECT_EQ(unit(0), "uV");
  EXPECT_EQ(unit(1), "uV/sample");
  EXPECT_EQ(unit(2), "uV/sample^2");
}

TEST(Gaussian, SpreadsNanOverItsRadiusAlone) {
  Samples x = testing::noise(200, 2, 1);
  x(100, 1) = std::numeric_limits<float>::quiet_NaN();
  const Samples y = smoothed(x, params({{"sigma", 2.0}}));
  for (std::int64_t f = 0; f < 200; ++f) {
    EXPECT_FALSE(std::isnan(y(f, 0)));
    EXPECT_EQ(std::isnan(y(f, 1)), f >= 92 && f <= 108) << f;
  }
}

TEST(Gaussian, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      gaussian_operator().plan(rules, {.in = make_stream(30000, 1, 100), .temporary_folder = {}});
    });
  };
  refuses("sigma: give either", params({}));
  refuses("sigma: give either", params({{"sigma", 1.0}, {"sigma_s", 1.0}}));
  refuses("sigma", params({{"sigma", 0.0}}));
  refuses("sigma_s: 4 sigmas of 30000 samples are 120000", params({{"sigma_s", 1.0}}));
  refuses("order", params({{"sigma", 1.0}, {"order", 5}}));
}

TEST(Gaussian, Conforms) {
  const StreamInfo in = make_stream(30000, 5, 1000);
  testing::check_operator(gaussian_operator(), params({{"sigma", 3.0}}), in);
  testing::check_operator(gaussian_operator(), params({{"sigma", 3.0}, {"edge", "mirror"}}), in);
}

}  // namespace
}  // namespace weir::signal
