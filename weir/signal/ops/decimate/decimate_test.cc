#include "weir/signal/ops/decimate/decimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

const std::string kGolden = "weir/signal/ops/decimate/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples decimated(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(decimate_operator(), rules, make_stream(30000, x.channels, x.frames), x, cuts)
      .samples;
}

TEST(Decimate, EqualsScipyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
  ASSERT_EQ(cases.as_object().size(), 5U);
  for (const auto& [name, rules] : cases.as_object()) {
    SCOPED_TRACE(name);
    const Samples whole = decimated(x, rules);
    testing::expect_close(whole, testing::load_npy(kGolden + name + ".npy"), 1e-6);
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(decimated(x, rules, cuts), whole, name);
    }
  }
}

TEST(Decimate, PutsSampleKAtInputKTimesQ) {  // case A14
  const Samples bump = testing::make_samples(2400, 1, [](std::int64_t f, std::int64_t) {
    return std::exp(-0.5 * std::pow(static_cast<double>(f - 1200) / 60, 2));
  });
  const Samples y = decimated(bump, params({{"q", 12}}));
  ASSERT_EQ(y.frames, 200);
  EXPECT_EQ(std::max_element(y.values.begin(), y.values.end()) - y.values.begin(), 100);
  for (std::int64_t i = 1; i < 60; ++i) {
    EXPECT_NEAR(y(100 + i, 0), y(100 - i, 0), 1e-6);
  }
}

TEST(Decimate, TellsTheNewRate) {
  const StreamInfo in = make_stream(30000, 1, 1001);
  const auto step =
      decimate_operator().plan(params({{"factor", 12}}), {.in = in, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.rate, SampleRate(Rational(2500)));
  EXPECT_EQ(step->ports()[0].stream.segments[0].frames, 84);
  EXPECT_TRUE(decimate_operator()
                  .plan(params({{"q", 1}}), {.in = in, .temporary_folder = {}})
                  ->relabels_only());
}

TEST(Decimate, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      decimate_operator().plan(rules, {.in = make_stream(30000, 1, 100), .temporary_folder = {}});
    });
  };
  refuses("q: is required", params({}));
  refuses("q", params({{"q", 0}}));
  refuses("n: 31 is odd", params({{"q", 3}, {"n", 31}}));
  refuses("q: 5000 needs 100001 taps", params({{"q", 5000}}));
  refuses("window", params({{"q", 3}, {"window", "kaiser_bessel_derived 3"}}));
}

TEST(Decimate, Conforms) {
  testing::check_operator(decimate_operator(), params({{"q", 5}}), make_stream(30000, 5, 1000));
  testing::check_operator(decimate_operator(), params({{"q", 3}, {"n", 8}, {"pad", "zero"}}),
                          make_stream(30000, 5, 1000));
}

}  // namespace
}  // namespace weir::signal
