#include "weir/signal/ops/spectrogram/spectrogram.h"

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

const std::string kGolden = "weir/signal/ops/spectrogram/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Samples spectrogram_of(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(spectrogram_operator(), rules, make_stream(1000, x.channels, x.frames), x,
                      cuts)
      .samples;
}

double tolerance_of(const Value& rules, const Samples& x) {
  const StreamInfo in = make_stream(1000, x.channels, x.frames);
  return spectrogram_operator().plan(rules, {.in = in, .temporary_folder = {}})->tolerance();
}

TEST(Spectrogram, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 1500);
  stream.channels[3].gain = -0.5;
  testing::check_operator(spectrogram_operator(), params({{"nperseg", 16}, {"noverlap", 5}}),
                          stream, {.relative = 4e-6, .frames = 1500, .int16_input = true});
}

TEST(Spectrogram, ConformsWithManyFrequenciesAndOddTransforms) {
  testing::check_operator(
      spectrogram_operator(),
      params({{"nperseg", 45}, {"nfft", 81}, {"noverlap", 32}, {"detrend", "linear"}}),
      make_stream(1000, 3, 300), {.relative = 1e-5, .frames = 300});
}

TEST(Spectrogram, ConformsWithAWindowForEveryFrame) {
  testing::check_operator(spectrogram_operator(),
                          params({{"nperseg", 5}, {"noverlap", 4}, {"detrend", "linear"}}),
                          make_stream(1000, 3, 120), {.relative = 1e-5, .frames = 120});
}

TEST(Spectrogram, EqualsScipyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  const Samples times = testing::load_npy(kGolden + "times.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
  ASSERT_EQ(cases.as_object().size(), 5U);
  std::int64_t number = 0;
  for (const auto& [name, rules] : cases.as_object()) {
    SCOPED_TRACE(name);
    const Samples whole = spectrogram_of(x, rules);
    testing::expect_close(whole, testing::load_npy(kGolden + name + ".npy"),
                          tolerance_of(rules, x));
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(spectrogram_of(x, rules, cuts), whole, name);
    }
    const auto step = spectrogram_operator().plan(
        rules, {.in = make_stream(1000, 2, 700), .temporary_folder = {}});
    EXPECT_NEAR(step->ports()[0].stream.segments[0].start_s.to_double(), times(number++, 0), 1e-7);
  }
}

TEST(Spectrogram, DescribesItsRows) {
  StreamInfo in = make_stream(30'000, 2, 1000);
  in.segments[0].start_s = Rational(3);
  in.segments.push_back({.frames = 10, .start_s = Rational(5)});
  in.segments.push_back({.frames = 0, .start_s = Rational(6)});
  const auto step = spectrogram_operator().plan(params({{"nperseg", 64}, {"noverlap", 4}}),
                                                {.in = in, .temporary_folder = {}});
  const op::Port& port = step->ports()[0];
  EXPECT_EQ(port.ratio, Rational(1, 60));
  EXPECT_EQ(port.stream.rate, SampleRate(Rational(500)));
  EXPECT_EQ(port.stream.axis, Axis::time_s);
  EXPECT_EQ(port.spread, 33);
  ASSERT_EQ(port.stream.channels.size(), 66U);
  EXPECT_EQ(port.stream.channels[34].name, "ch1 @ 468.75 Hz");
  EXPECT_EQ(port.stream.channels[34].unit, "uV^2/Hz");
  EXPECT_EQ(port.stream.segments[0].frames, 16);
  EXPECT_EQ(port.stream.segments[0].start_s, Rational(3) + Rational(32, 30'000));
  EXPECT_EQ(port.stream.segments[1].frames, 1);  // one window of its own length
  EXPECT_EQ(port.stream.segments[1].start_s, Rational(5) + Rational(5, 30'000));
  EXPECT_EQ(port.stream.segments[2].frames, 0);
}

TEST(Spectrogram, KeepsNanInItsWindowsAndChannel) {
  Samples x = testing::noise(1000, 2, 10);
  x(505, 1) = std::numeric_limits<float>::quiet_NaN();
  const Samples rows = spectrogram_of(x, params({{"nperseg", 100}, {"noverlap", 50}}));
  for (std::int64_t row = 0; row < rows.frames; ++row) {
    for (std::int64_t column = 0; column < rows.channels; ++column) {
      const bool touched = column >= 51 && 50 * row <= 505 && 505 < 50 * row + 100;
      EXPECT_EQ(std::isnan(rows(row, column)), touched) << row << ", " << column;
    }
  }
}

TEST(Spectrogram, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules, std::int64_t channels = 1) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      spectrogram_operator().plan(
          rules, {.in = make_stream(1000, channels, 1000), .temporary_folder = {}});
    });
  };
  refuses("high_hz: 5 Hz is below low_hz, 10 Hz", params({{"low_hz", 10}, {"high_hz", 5}}));
  refuses("low_hz: no frequency lies between 4 and 7 Hz",
          params({{"nperseg", 100}, {"low_hz", 4}, {"high_hz", 7}}));
  refuses("low_hz: no frequency lies between 600 and", params({{"low_hz", 600}, {"high_hz", 700}}));
  refuses("nperseg: 524289 frequencies of 4 channels", params({{"nperseg", 1 << 20}}), 4);
  refuses("noverlap: 300 frames of windows of 256", params({{"noverlap", 300}}));
}

}  // namespace
}  // namespace weir::signal
