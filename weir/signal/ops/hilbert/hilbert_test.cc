#include "weir/signal/ops/hilbert/hilbert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/hilbert/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples turned(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(hilbert_operator(), rules, make_stream(30000, x.channels, x.frames), x, cuts)
      .samples;
}

TEST(Hilbert, EqualsScipyInsideItsBandAndAwayFromTheEnds) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  for (const char* output : {"envelope", "quadrature"}) {
    const Samples expected = testing::load_npy(kGolden + output + ".npy");
    for (const char* method : {"direct", "fft"}) {
      const Samples y =
          turned(x, params({{"low_hz", 400.0}, {"output", output}, {"method", method}}));
      for (std::int64_t f = 400; f < 2600; ++f) {
        ASSERT_NEAR(y(f, 0), expected(f, 0), 0.05) << output << " " << f;
        ASSERT_NEAR(y(f, 1), expected(f, 1), 0.5) << output << " " << f;
      }
    }
  }
}

TEST(Hilbert, IsTheSameForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  for (const char* method : {"direct", "fft"}) {
    const Value rules = params({{"low_hz", 400.0}, {"method", method}});
    const Samples whole = turned(x, rules);
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(turned(x, rules, cuts), whole, method);
    }
  }
}

TEST(Hilbert, HasTheTapsOfAWindowedDesign) {
  const Samples expected = testing::load_npy(kGolden + "taps.npy");
  const auto taps = hilbert_taps(101, 7 / 0.1102 + 8.7 - 7);
  ASSERT_EQ(taps.size(), expected.values.size());
  for (std::size_t i = 0; i < taps.size(); ++i) {
    EXPECT_NEAR(taps[i], expected.values[i], 4e-8) << i;
  }
}

/// Gain at a fraction of Nyquist.
double gain(const std::vector<double>& taps, double frequency) {
  const auto half = static_cast<double>(taps.size() / 2);
  double sum = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    sum += taps[i] * std::sin(std::numbers::pi * frequency * (static_cast<double>(i) - half));
  }
  return sum;
}

TEST(Hilbert, KeepsItsRippleInTheWholeBand) {
  for (const double low : {0.02, 0.1}) {
    for (const double attenuation : {40.0, 80.0, 120.0}) {
      const std::int64_t length = hilbert_length(low, attenuation);
      const auto taps = hilbert_taps(length, attenuation);
      for (int i = 0; i <= 1000; ++i) {
        ASSERT_NEAR(gain(taps, low + (1 - 2 * low) * i / 1000), 1, std::pow(10, -attenuation / 20))
            << low << " " << attenuation << " " << i;
      }
    }
  }
}

TEST(Hilbert, GivesTheAmplitudeOfATone) {
  for (const double hz : {300.0, 4321.0, 14'700.0}) {
    const Samples x = testing::make_samples(4000, 1, [&](std::int64_t f, auto) {
      return 7 * std::sin(2 * std::numbers::pi * hz / 30000 * static_cast<double>(f) + 0.2);
    });
    const Samples y = turned(x, params({{"low_hz", 300.0}}));
    for (std::int64_t f = 400; f < 3600; ++f) {
      ASSERT_NEAR(y(f, 0), 7, 7e-4) << hz << " " << f;
    }
  }
}

TEST(Hilbert, SpreadsNanOverItsTapsAlone) {
  Samples x = testing::noise(1000, 2, 1);
  x(500, 1) = std::numeric_limits<float>::quiet_NaN();
  const Samples y = turned(x, params({{"low_hz", 3000.0}, {"length", 63}}));
  for (std::int64_t f = 0; f < 1000; ++f) {
    EXPECT_FALSE(std::isnan(y(f, 0)));
    EXPECT_EQ(std::isnan(y(f, 1)), f >= 469 && f <= 531) << f;
  }
}

TEST(Hilbert, SaysItsBand) {
  const auto step = hilbert_operator().plan(
      params({{"low_hz", 300.0}}), {.in = make_stream(30000, 1, 100), .temporary_folder = {}});
  EXPECT_THAT(step->decisions()[0],
              ::testing::HasSubstr("envelope from 300 to 14700 Hz, gain within 0.0001 there"));
}

TEST(Hilbert, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      hilbert_operator().plan(rules, {.in = make_stream(30000, 1, 100), .temporary_folder = {}});
    });
  };
  refuses("low_hz: is required", params({}));
  refuses("low_hz: 7500 Hz leaves no band", params({{"low_hz", 7500.0}}));
  refuses("length: 64 is even", params({{"low_hz", 1000.0}, {"length", 64}}));
  refuses("length: 31 taps are fewer than", params({{"low_hz", 1000.0}, {"length", 31}}));
  refuses("low_hz: 0.5 Hz at 80 dB need", params({{"low_hz", 0.5}}));
}

TEST(Hilbert, Conforms) {
  const StreamInfo in = make_stream(30000, 5, 1000);
  testing::check_operator(hilbert_operator(), params({{"low_hz", 3000.0}}), in);
  testing::check_operator(hilbert_operator(),
                          params({{"low_hz", 3000.0}, {"output", "quadrature"}, {"edge", "odd"}}),
                          in);
  testing::check_operator(hilbert_operator(), params({{"low_hz", 3000.0}, {"method", "fft"}}), in);
}

}  // namespace
}  // namespace weir::signal
