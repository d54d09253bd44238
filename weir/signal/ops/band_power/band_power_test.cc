#include "weir/signal/ops/band_power/band_power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
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

const std::string kGolden = "weir/signal/ops/band_power/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Value band(double low_hz, double high_hz) {
  return Value::Array{low_hz, high_hz};
}

Samples band_power_of(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(band_power_operator(), rules, make_stream(1000, x.channels, x.frames), x,
                      cuts)
      .samples;
}

double tolerance_of(const Value& rules, const Samples& x) {
  const StreamInfo in = make_stream(1000, x.channels, x.frames);
  return band_power_operator().plan(rules, {.in = in, .temporary_folder = {}})->tolerance();
}

TEST(BandPower, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 1500);
  stream.channels[3].gain = -0.5;
  const Value bands = params({{"low", band(0, 100)}, {"high", band(100, 450)}});
  testing::check_operator(band_power_operator(), params({{"bands", bands}, {"nperseg", 64}}),
                          stream, {.relative = 4e-6, .frames = 1500, .int16_input = true});
}

TEST(BandPower, ConformsWithShares) {
  testing::check_operator(band_power_operator(),
                          params({{"bands", Value::Array{band(0, 250)}},
                                  {"nperseg", 45},
                                  {"noverlap", 20},
                                  {"relative", true},
                                  {"integral", "trapezoid"}}),
                          make_stream(1000, 5, 800), {.relative = 1e-5, .frames = 800});
}

TEST(BandPower, EqualsScipyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
  ASSERT_EQ(cases.as_object().size(), 4U);
  for (const auto& [name, rules] : cases.as_object()) {
    SCOPED_TRACE(name);
    const Samples whole = band_power_of(x, rules);
    testing::expect_close(whole, testing::load_npy(kGolden + name + ".npy"),
                          tolerance_of(rules, x));
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(band_power_of(x, rules, cuts), whole, name);
    }
  }
}

TEST(BandPower, IntegratesAsScipyDoes) {
  for (const std::int64_t count : {2, 3, 4, 7, 10}) {
    const Samples expected =
        testing::load_npy(kGolden + "weights_" + std::to_string(count) + ".npy");
    const auto weights = integral_weights(BandIntegral::simpson, count, 0.5);
    for (std::int64_t i = 0; i < count; ++i) {
      EXPECT_NEAR(weights[static_cast<std::size_t>(i)], expected(i, 0), 1e-7) << count << " " << i;
    }
  }
}

TEST(BandPower, HasTheSquareOfASinesEffectiveValueInItsBand) {
  const Samples x = testing::make_samples(4000, 1, [](std::int64_t f, std::int64_t) {
    return 3 * std::sin(2 * std::numbers::pi * 125 * static_cast<double>(f) / 1000);
  });
  const Samples rows = band_power_of(
      x,
      params({{"bands", Value::Array{band(100, 150), band(200, 300)}}, {"integral", "trapezoid"}}));
  for (std::int64_t row = 0; row < rows.frames; ++row) {
    EXPECT_NEAR(rows(row, 0), 4.5, 1e-3);
    EXPECT_NEAR(rows(row, 1), 0, 1e-5);
  }
}

TEST(BandPower, NamesItsChannels) {
  const Value bands = params({{"theta", band(4, 8.5)}, {"gamma", band(30, 80)}});
  const auto plan = [&](const Value& rules) {
    return band_power_operator().plan(rules,
                                      {.in = make_stream(1000, 2, 5000), .temporary_folder = {}});
  };
  const auto step = plan(params({{"bands", bands}, {"segment_s", 2}}));
  const op::Port& port = step->ports()[0];
  EXPECT_EQ(port.spread, 2);
  EXPECT_EQ(port.stream.rate, SampleRate(Rational(1)));
  EXPECT_EQ(port.stream.channels.at(2).name, "ch1 theta 4-8.5 Hz");
  EXPECT_EQ(port.stream.channels.at(2).unit, "uV^2");
  const auto shares =
      plan(params({{"bands", Value::Array{band(4, 8)}}, {"segment_s", 2}, {"relative", true}}));
  EXPECT_EQ(shares->ports()[0].stream.channels.at(1).name, "ch1 4-8 Hz");
  EXPECT_EQ(shares->ports()[0].stream.channels.at(1).unit, "");
}

TEST(BandPower, KeepsNanInItsWindowsAndChannel) {
  Samples x = testing::noise(1000, 2, 10);
  x(505, 1) = -std::numeric_limits<float>::infinity();
  const Samples rows = band_power_of(
      x, params({{"bands", Value::Array{band(100, 200)}}, {"nperseg", 100}, {"noverlap", 0}}));
  for (std::int64_t row = 0; row < rows.frames; ++row) {
    EXPECT_FALSE(std::isnan(rows(row, 0)));
    EXPECT_EQ(std::isnan(rows(row, 1)), row == 5);
  }
}

TEST(BandPower, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      band_power_operator().plan(rules, {.in = make_stream(1000, 1, 1000), .temporary_folder = {}});
    });
  };
  const auto of = [](Value bands) { return params({{"bands", std::move(bands)}}); };
  refuses("bands: is required", params({}));
  refuses("bands: there are none", of(Value::array()));
  refuses("bands: 4 is no band", of(Value::Array{4, 8}));
  refuses("bands: theta 8-4 Hz does not rise", of(params({{"theta", band(8, 4)}})));
  refuses("bands: 400-600 Hz does not rise between 0 Hz and Nyquist, 500 Hz",
          of(Value::Array{band(400, 600)}));
  refuses("bands: 3.9-7 Hz has 1 of the frequencies, which are 3.90625 Hz apart",
          of(Value::Array{band(3.9, 7)}));
}

}  // namespace
}  // namespace weir::signal
