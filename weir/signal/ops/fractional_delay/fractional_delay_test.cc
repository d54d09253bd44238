#include "weir/signal/ops/fractional_delay/fractional_delay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_samples;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/fractional_delay/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Value numbers(std::initializer_list<double> values) {
  Value list = Value::array();
  for (const double value : values) {
    list.push_back(value);
  }
  return list;
}

Samples delayed(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(fractional_delay_operator(), rules, make_stream(30000, x.channels, x.frames),
                      x, cuts)
      .samples;
}

TEST(FractionalDelay, EqualsNumPyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
  ASSERT_EQ(cases.as_object().size(), 5U);
  for (const auto& [name, rules] : cases.as_object()) {
    SCOPED_TRACE(name);
    const Samples whole = delayed(x, rules);
    testing::expect_close(whole, testing::load_npy(kGolden + name + ".npy"), 1e-6);
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(delayed(x, rules, cuts), whole, name);
    }
  }
}

TEST(FractionalDelay, MovesAToneByAnyPartOfASample) {
  const auto tone = [](double frame) {
    return std::sin(2 * std::numbers::pi * 5000 / 30000 * frame + 0.4);
  };
  const Samples x = make_samples(1000, 1, [&](std::int64_t f, auto) { return tone(double(f)); });
  for (const double delay : {0.1, 0.5, 0.75, -0.25, 7.3, -60.01}) {
    const Samples y = delayed(x, params({{"delay_samples", delay}}));
    for (std::int64_t f = 100; f < 900; ++f) {
      ASSERT_NEAR(y(f, 0), tone(static_cast<double>(f) - delay), 1e-4) << delay << " " << f;
    }
  }
}

TEST(FractionalDelay, CopiesWhereTheDelayIsWhole) {
  const Samples x = testing::noise(200, 3, 10);
  for (const auto& [rules, shift] :
       {std::pair{params({{"delay_samples", 7}}), 7}, std::pair{params({{"delay_s", 0.0011}}), 33},
        std::pair{params({{"delay_samples", -4}}), -4}, std::pair{params({{"delay_s", 0.0}}), 0}}) {
    const Samples y = delayed(x, rules);
    for (std::int64_t f = 0; f < x.frames; ++f) {
      const std::int64_t from = f - shift;
      ASSERT_EQ(y(f, 1), from >= 0 && from < x.frames ? x(from, 1) : 0) << f;
    }
  }
}

TEST(FractionalDelay, TakesOneTapForAWholeDelay) {
  const auto says = [](const Value& rules) {
    return fractional_delay_operator()
        .plan(rules, {.in = make_stream(30000, 2, 100), .temporary_folder = {}})
        ->decisions()[0];
  };
  EXPECT_EQ(says(params({{"delay_s", 0.001}})),
            "30 to 30 samples later, 1 taps: within 0.2 % up to 15000 Hz");
  EXPECT_EQ(
      says(params({{"delay_samples", numbers({0.5, 3})}})),
      "0.5 to 3 samples later, 32 taps, of each channel its own: within 0.2 % up to 12660 Hz");
}

TEST(FractionalDelay, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      fractional_delay_operator().plan(rules,
                                       {.in = make_stream(30000, 4, 100), .temporary_folder = {}});
    });
  };
  refuses("delay_samples: give either", params({}));
  refuses("delay_samples: give either", params({{"delay_samples", 1.0}, {"delay_s", 1.0}}));
  refuses("delay_samples: 2 values, but there are 4 channels",
          params({{"delay_samples", numbers({1, 2})}}));
  refuses("delay_s: 1000 s are more than", params({{"delay_s", 1000.0}}));
  refuses("delay_samples: delays so far apart need 200001 taps, more than 100000",
          params({{"delay_samples", numbers({0, 1, 2, 200000})}}));
  refuses("taps: 31 is odd", params({{"delay_samples", 0.5}, {"taps", 31}}));
}

TEST(FractionalDelay, Conforms) {
  const StreamInfo in = make_stream(30000, 5, 1000);
  testing::check_operator(fractional_delay_operator(), params({{"delay_samples", 3.25}}), in);
  testing::check_operator(fractional_delay_operator(),
                          params({{"delay_samples", -40.5}, {"edge", "odd"}}), in);
}

}  // namespace
}  // namespace weir::signal
