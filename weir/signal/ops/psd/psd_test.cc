#include "weir/signal/ops/psd/psd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/psd/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples psd_of(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(psd_operator(), rules, make_stream(1000, x.channels, x.frames), x, cuts)
      .samples;
}

Value golden_cases() {
  return formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
}

Samples column(const Samples& from, std::int64_t channel) {
  return testing::make_samples(from.frames, 1,
                               [&](std::int64_t f, std::int64_t) { return from(f, channel); });
}

/// Each channel by its own scale.
void expect_close_by_channel(const Samples& actual, const Samples& expected, double relative) {
  ASSERT_EQ(actual.frames, expected.frames);
  for (std::int64_t c = 0; c < expected.channels; ++c) {
    testing::expect_close(column(actual, c), column(expected, c), relative);
  }
}

double tolerance_of(const Value& rules, const Samples& x) {
  const StreamInfo in = make_stream(1000, x.channels, x.frames);
  return psd_operator().plan(rules, {.in = in, .temporary_folder = {}})->tolerance();
}

TEST(Psd, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(psd_operator(), params({{"nperseg", 64}}), stream,
                          {.relative = 4e-6, .int16_input = true});
}

TEST(Psd, ConformsWithOddTransformsAndLines) {
  testing::check_operator(
      psd_operator(),
      params({{"nperseg", 45}, {"nfft", 51}, {"noverlap", 30}, {"detrend", "linear"}}),
      make_stream(1000, 5, 2000), {.relative = 1e-5, .frames = 2000});
}

class PsdOnDevice : public ::testing::TestWithParam<const char*> {};

// A device has these transforms in global memory.
TEST_P(PsdOnDevice, MakesTransformsLargerThanLocalMemory) {
  const auto device = testing::device_or_skip(GetParam());
  if (device == nullptr) {
    return;
  }
  const StreamInfo stream = make_stream(1000, 2, 500);
  const Samples x = testing::noise(500, 2, 10);
  for (const std::int64_t nfft : {8192, 5000}) {
    const auto bound =
        testing::bind(psd_operator(), params({{"nperseg", 100}, {"nfft", nfft}}), stream);
    const Buffer data = testing::formed(bound, stream, x);
    const Samples expected = testing::run_bound(bound, data.block()).samples;
    const auto actual = testing::run_on_device(bound, data.block(), *device, {.frames = {170}});
    testing::expect_close(actual.samples, expected, bound.step->tolerance());
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PsdOnDevice, ::testing::Values("host", "opencl", "cuda"));

TEST(Psd, ConformsWithMedians) {
  testing::check_operator(psd_operator(), params({{"nperseg", 50}, {"average", "median"}}),
                          make_stream(1000, 37, 1000), {.relative = 4e-6, .frames = 1000});
}

TEST(Psd, EqualsScipyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  const Value cases = golden_cases();
  ASSERT_EQ(cases.as_object().size(), 10U);
  for (const auto& [name, rules] : cases.as_object()) {
    SCOPED_TRACE(name);
    const Samples whole = psd_of(x, rules);
    expect_close_by_channel(whole, testing::load_npy(kGolden + name + ".npy"),
                            tolerance_of(rules, x));
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(psd_of(x, rules, cuts), whole, name);
    }
  }
}

TEST(Psd, TakesOneWindowOfAShortSegment) {
  Samples x = testing::load_npy(kGolden + "x.npy");
  x.frames = 300;
  x.values.resize(900);
  expect_close_by_channel(psd_of(x, params({{"nperseg", 512}})),
                          testing::load_npy(kGolden + "short.npy"), 4e-6);
}

// Parseval: the density adds up to the mean square of what is left without the mean.
TEST(Psd, AddsUpToTheVariance) {
  const Samples x = testing::noise(256 * 64, 1, 10);
  const Samples density = psd_of(x, params({{"window", "boxcar"}, {"noverlap", 0}}));
  double power = 0;
  for (std::int64_t row = 0; row < density.frames; ++row) {
    power += density(row, 0) * 1000 / 256;
  }
  double variance = 0;
  for (std::int64_t w = 0; w < 64; ++w) {
    double mean = 0;
    for (std::int64_t i = 0; i < 256; ++i) {
      mean += x(w * 256 + i, 0) / 256;
    }
    for (std::int64_t i = 0; i < 256; ++i) {
      variance += std::pow(x(w * 256 + i, 0) - mean, 2) / (256 * 64);
    }
  }
  EXPECT_NEAR(power / variance, 1, 1e-5);
}

TEST(Psd, GivesTheSquareOfASinesEffectiveValueAsSpectrum) {
  const Samples x = testing::make_samples(4000, 1, [](std::int64_t f, std::int64_t) {
    return 3 * std::sin(2 * std::numbers::pi * 125 * static_cast<double>(f) / 1000);
  });
  const Samples spectrum = psd_of(x, params({{"scaling", "spectrum"}}));
  EXPECT_NEAR(spectrum(32, 0), 4.5, 1e-4);
}

TEST(Psd, DescribesItsTable) {
  StreamInfo in = make_stream(30'000, 2, 1000);
  in.channels[0].gain = 0.5;
  in.segments.push_back({.frames = 0, .start_s = Rational(1)});
  const auto step =
      psd_operator().plan(params({{"nperseg", 100}}), {.in = in, .temporary_folder = {}});
  const op::Port& port = step->ports()[0];
  EXPECT_EQ(port.stream.axis, Axis::frequency_hz);
  EXPECT_EQ(port.stream.rate.exact(), Rational(1, 300));
  EXPECT_EQ(port.stream.segments[0].frames, 51);
  EXPECT_EQ(port.stream.segments[1].frames, 0);
  EXPECT_EQ(port.stream.segments[1].start_s, Rational(1));
  EXPECT_EQ(port.stream.channels[0].unit, "uV^2/Hz");
  EXPECT_EQ(port.stream.channels[0].gain, 0.25);
}

TEST(Psd, TakesTheLengthInSeconds) {
  const Samples x = testing::noise(3000, 2, 10);
  testing::expect_identical(psd_of(x, params({{"segment_s", 0.2}})),
                            psd_of(x, params({{"nperseg", 200}})), "0.2 s at 1000 Hz");
}

TEST(Psd, KeepsNanInItsChannelAndSegment) {
  Samples x = testing::noise(2000, 2, 10);
  x(700, 1) = std::numeric_limits<float>::infinity();
  StreamInfo stream = make_stream(1000, 2, 1000);
  stream.segments.push_back({.frames = 1000, .start_s = Rational(5)});
  for (const char* detrend : {"constant", "none"}) {
    const Samples table =
        run_operator(psd_operator(), params({{"detrend", detrend}}), stream, x).samples;
    for (std::int64_t row = 0; row < 129; ++row) {
      EXPECT_FALSE(std::isnan(table(row, 0)));
      EXPECT_TRUE(std::isnan(table(row, 1)));
      EXPECT_FALSE(std::isnan(table(129 + row, 1)));
    }
  }
}

TEST(Psd, ClaimsEveryPowerForAMedian) {
  const StreamInfo in = make_stream(1000, 32, 1'000'000);
  const op::StepContext context{.in = in, .temporary_folder = {}};
  const auto mean = psd_operator().plan(Value::object(), context);
  const auto median = psd_operator().plan(params({{"average", "median"}}), context);
  EXPECT_LT(mean->state_bytes(32), 300'000U);
  EXPECT_GT(median->state_bytes(32), 7811U * 129 * 32 * 4);
}

TEST(Psd, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      psd_operator().plan(rules, {.in = make_stream(1000, 1, 1000), .temporary_folder = {}});
    });
  };
  refuses("nperseg", params({{"nperseg", 0}}));
  refuses("segment_s: give nperseg or segment_s", params({{"nperseg", 8}, {"segment_s", 1}}));
  refuses("segment_s: 0.0001 s are 0 frames", params({{"segment_s", 0.0001}}));
  refuses("segment_s: 5000 s are 5000000 frames", params({{"segment_s", 5000}}));
  refuses("noverlap: 256 frames of windows of 256", params({{"noverlap", 256}}));
  refuses("nfft: 100 is less than nperseg, 256", params({{"nfft", 100}}));
  refuses("window", params({{"window", "hat"}}));
  refuses("scaling", params({{"scaling", "loud"}}));
}

TEST(Psd, RefusesAGainThatHasNoSquare) {
  StreamInfo in = make_stream(1, 1, 10);
  in.channels[0].gain = 1e200;
  testing::expect_error(
      ErrorCode::invalid_spec, "channel \"ch0\" leaves the range of doubles",
      [&] { psd_operator().plan(Value::object(), {.in = in, .temporary_folder = {}}); });
}

}  // namespace
}  // namespace weir::signal
