#include "weir/signal/ops/coherence/coherence.h"

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

const std::string kGolden = "weir/signal/ops/coherence/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Value pair(Value first, Value second) {
  return Value::Array{std::move(first), std::move(second)};
}

Samples coherence_of(const Samples& x, const Value& rules, const Cuts& cuts = {}) {
  return run_operator(coherence_operator(), rules, make_stream(1000, x.channels, x.frames), x, cuts)
      .samples;
}

double tolerance_of(const Value& rules, const Samples& x) {
  const StreamInfo in = make_stream(1000, x.channels, x.frames);
  return coherence_operator().plan(rules, {.in = in, .temporary_folder = {}})->tolerance();
}

TEST(Coherence, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 1200);
  stream.channels[3].gain = -0.5;
  testing::check_operator(coherence_operator(), params({{"nperseg", 32}}), stream,
                          {.relative = 4e-6, .frames = 1200, .int16_input = true});
}

TEST(Coherence, ConformsWithAReferenceAndOddTransforms) {
  testing::check_operator(
      coherence_operator(),
      params({{"nperseg", 21}, {"nfft", 33}, {"noverlap", 15}, {"reference_channel", 2}}),
      make_stream(1000, 5, 800), {.relative = 1e-5, .frames = 800});
}

TEST(Coherence, EqualsScipyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  const Value cases = formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/" + kGolden + "cases.json"));
  ASSERT_EQ(cases.as_object().size(), 5U);
  for (const auto& [name, rules] : cases.as_object()) {
    SCOPED_TRACE(name);
    const Samples whole = coherence_of(x, rules);
    testing::expect_close(whole, testing::load_npy(kGolden + name + ".npy"),
                          tolerance_of(rules, x));
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(coherence_of(x, rules, cuts), whole, name);
    }
  }
}

TEST(Coherence, IsOneOfAChannelAndItsMultiple) {
  const Samples noise = testing::noise(4000, 1, 10);
  const Samples x = testing::make_samples(4000, 2, [&](std::int64_t f, std::int64_t c) {
    return c == 0 ? noise(f, 0) : 30 - 5 * noise(f, 0);
  });
  const Samples table = coherence_of(x, Value::object());
  ASSERT_EQ(table.frames, 129);
  for (std::int64_t row = 0; row < table.frames; ++row) {
    EXPECT_NEAR(table(row, 0), 1, 1e-4) << row;
  }
}

TEST(Coherence, NamesItsPairs) {
  StreamInfo in = make_stream(1000, 3, 5000);
  in.channels.push_back(make_channels(1).front());
  in.channels.back().name = "sync";
  const auto step = coherence_operator().plan(Value::object(), {.in = in, .temporary_folder = {}});
  const op::Port& port = step->ports()[0];
  EXPECT_EQ(port.stream.axis, Axis::frequency_hz);
  ASSERT_EQ(port.stream.channels.size(), 3U);  // what is no voltage takes no part
  EXPECT_EQ(port.stream.channels[1].name, "ch0 x ch2");
  EXPECT_EQ(port.stream.channels[1].unit, "");
  EXPECT_EQ(port.stream.channels[1].gain, 1);
}

TEST(Coherence, KeepsNanInThePairsOfItsChannel) {
  Samples x = testing::noise(1000, 3, 10);
  x(505, 2) = std::numeric_limits<float>::quiet_NaN();
  const Samples table = coherence_of(x, Value::object());
  for (std::int64_t row = 0; row < table.frames; ++row) {
    EXPECT_FALSE(std::isnan(table(row, 0)));
    EXPECT_TRUE(std::isnan(table(row, 1)));
    EXPECT_TRUE(std::isnan(table(row, 2)));
  }
}

TEST(Coherence, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules, std::int64_t channels = 4) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      coherence_operator().plan(rules,
                                {.in = make_stream(1000, channels, 1000), .temporary_folder = {}});
    });
  };
  const auto of = [](std::initializer_list<Value> pairs) {
    return params({{"pairs", Value(Value::Array(pairs))}});
  };
  refuses("pairs: there are none", Value::object(), 1);
  refuses("pairs: 129 channels make 8,256 of them, more than 8,128", Value::object(), 129);
  refuses("pairs: channel 1 (\"ch1\") with itself", of({pair(1, "ch1")}));
  refuses("pairs: [2, 1] is given twice", of({pair(1, 2), pair(2, 1)}));
  refuses("pairs", of({pair(1, 9)}));
  refuses("pairs: 3 is no pair", of({3}));
  refuses("reference_channel", params({{"reference_channel", "Cz"}}));
  refuses("reference_channel: give pairs or reference_channel",
          params({{"reference_channel", 1}, {"pairs", Value::Array{pair(1, 2)}}}));
}

}  // namespace
}  // namespace weir::signal
