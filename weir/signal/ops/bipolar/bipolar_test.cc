#include "weir/signal/ops/bipolar/bipolar.h"

#include <gtest/gtest.h>

#include "weir/core/buffer.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/bipolar/golden/";

Value pairs_of(std::initializer_list<std::pair<Value, Value>> pairs) {
  Value list = Value::array();
  for (const auto& [plus, minus] : pairs) {
    list.push_back(Value::Array{plus, minus});
  }
  return Value(Value::Object{{"pairs", list}});
}

/// Unlike run_operator, for as many outputs as there are differences.
Samples differences(const Value& params, const StreamInfo& stream, const Samples& in) {
  const auto step = bipolar_operator().plan(params, {.in = stream, .temporary_folder = {}});
  const std::int64_t outputs = step->ports()[0].stream.channel_count();
  const Buffer from(SampleType::float32, in.frames, in.channels);
  const Buffer to(SampleType::float32, in.frames, outputs);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    std::copy_n(&in.values[static_cast<std::size_t>(t * in.channels)], in.channels,
                from.as<float>().row(t));
  }
  const auto state = step->start({0, 0, 0, in.channels});
  op::Emission out{to.block(), 0, nullptr};
  step->run(*state, from.block(), {&out, 1});
  Samples samples{in.frames, outputs, {}};
  for (std::int64_t t = 0; t < in.frames; ++t) {
    samples.values.insert(samples.values.end(), to.as<float>().row(t),
                          to.as<float>().row(t) + outputs);
  }
  return samples;
}

StreamInfo three_shanks(std::int64_t frames) {
  constexpr double kDepths[] = {30, 10, 20, 0, 5, 15, 25, 35, 70, 60, 50, 40};
  StreamInfo stream = make_stream(1000, 12, frames);
  for (std::size_t c = 0; c < 12; ++c) {
    stream.channels[c].group = std::to_string(c / 4);
    stream.channels[c].position = {0, kDepths[c], 0};
  }
  return stream;
}

// As many differences as channels, which the suite wants: round the probe and back.
TEST(Bipolar, Conforms) {
  Value list = Value::array();
  for (std::int64_t c = 0; c < 384; ++c) {
    list.push_back(Value::Array{c, (c + 1) % 384});
  }
  testing::check_operator(bipolar_operator(), Value(Value::Object{{"pairs", list}}),
                          make_stream(1000, 384, 500), {.frames = 500, .int16_input = true});
}

TEST(Bipolar, EqualsNumPy) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = three_shanks(in.frames);
  testing::expect_close(differences(Value::object(), stream, in),
                        load_npy(kGolden + "differences.npy"), 1e-7);
  testing::expect_close(differences(Value(Value::Object{{"along", "y"}}), stream, in),
                        load_npy(kGolden + "along.npy"), 1e-7);
}

TEST(Bipolar, TakesThePairsItIsGiven) {
  const StreamInfo stream = make_stream(1000, 4, 1);
  const auto params = pairs_of({{"ch3", 0}, {1, "ch2"}});
  EXPECT_EQ(differences(params, stream, {1, 4, {1, 2, 4, 8}}).values, (std::vector<float>{7, -2}));
  const auto step = bipolar_operator().plan(params, {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.channels[0].name, "ch3-ch0");
}

TEST(Bipolar, PutsADifferenceBetweenItsContacts) {
  const auto step =
      bipolar_operator().plan(Value::object(), {.in = three_shanks(1), .temporary_folder = {}});
  const auto& channels = step->ports()[0].stream.channels;
  ASSERT_EQ(channels.size(), 9);
  EXPECT_EQ(channels[3].name, "ch4-ch5");
  EXPECT_EQ(channels[3].position, (std::array<double, 3>{0, 10, 0}));
  EXPECT_EQ(channels[3].group, "1");
}

TEST(Bipolar, WeighsGainsAndUnitsAndKeepsWhatIsNoVoltage) {
  StreamInfo stream = make_stream(1000, 3, 1);
  stream.channels[0].gain = 2;
  stream.channels[1].gain = 0.5;
  stream.channels[1].unit = "mV";
  stream.channels[2].unit = "g";
  // 20 uV less 4 mV in counts of 2 uV; the accelerometer as it was
  EXPECT_EQ(differences(Value::object(), stream, {1, 3, {10, 8, 7}}).values,
            (std::vector<float>{-1990, 7}));
}

TEST(Bipolar, NamesTheFieldThatIsWrong) {
  StreamInfo stream = make_stream(1000, 3, 1);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text,
                 [&] { bipolar_operator().plan(params, {.in = stream, .temporary_folder = {}}); });
  };
  refused(Value(Value::Object{{"pairs", Value::Array{0, 1}}}), "pairs: 0 is no pair");
  refused(pairs_of({{0, 3}}), "pairs: there is no channel 3");
  refused(pairs_of({{1, "ch1"}}), "pairs: channel 1 (\"ch1\") less itself");
  refused(pairs_of({{0, 1}, {0, 1}}), "pairs: [0, 1] is given twice");
  refused(Value(Value::Object{{"along", "y"}}), "along: an axis needs positions");
  for (auto& channel : stream.channels) {
    channel.group = channel.name;
  }
  refused(Value::object(), "along: no group has two channels");
}
}  // namespace
}  // namespace weir::signal
