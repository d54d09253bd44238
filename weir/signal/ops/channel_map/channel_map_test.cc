#include "weir/signal/ops/channel_map/channel_map.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/core/buffer.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;
using Array = Value::Array;
using Object = Value::Object;

Value pair(Value from, std::int64_t to) {
  return Object{{"from", std::move(from)}, {"to", to}};
}

Value named(Value from, std::int64_t to, const char* name) {
  return Object{{"from", std::move(from)}, {"to", to}, {"name", name}};
}

Value pairs_of(Array pairs) {
  return Object{{"pairs", std::move(pairs)}};
}

/// Output k from input (11 k + 5) modulo `inputs`.
Value scattered(std::int64_t inputs, std::int64_t outputs) {
  Array pairs;
  for (std::int64_t k = 0; k < outputs; ++k) {
    pairs.push_back(pair((11 * k + 5) % inputs, k));
  }
  return pairs_of(std::move(pairs));
}

PlannedMap planned(const Value& params, const StreamInfo& in) {
  const auto step = channel_map_operator().plan(params, {.in = in, .temporary_folder = {}});
  return {{}, step->ports()[0].stream.channels, step->decisions()};
}

/// Unlike run_operator, for as many outputs as there are pairs.
template <class T>
std::vector<T> mapped(const Value& params, const StreamInfo& stream, const Samples& in) {
  const auto step = channel_map_operator().plan(params, {.in = stream, .temporary_folder = {}});
  const std::int64_t outputs = step->ports()[0].stream.channel_count();
  const Buffer from(stream.type, in.frames, in.channels);
  const Buffer to(stream.type, in.frames, outputs);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    for (std::int64_t c = 0; c < in.channels; ++c) {
      from.as<T>()(t, c) = static_cast<T>(in(t, c));
    }
  }
  const auto state = step->start({0, 0, 0, in.channels});
  op::Emission out{to.block(), 0, nullptr};
  step->run(*state, from.block(), {&out, 1});
  std::vector<T> values;
  for (std::int64_t t = 0; t < in.frames; ++t) {
    values.insert(values.end(), to.as<T>().row(t), to.as<T>().row(t) + outputs);
  }
  return values;
}

TEST(ChannelMap, Conforms) {
  testing::check_operator(channel_map_operator(), scattered(384, 384), make_stream(1000, 384, 500),
                          {.relative = 0, .frames = 500, .int16_input = true});
}

TEST(ChannelMap, EqualsNumPy) {
  const std::string golden = "weir/signal/ops/channel_map/golden/";
  const Samples in = load_npy(golden + "frames.npy");
  const Samples moved = load_npy(golden + "moved.npy");
  const Value params = scattered(in.channels, moved.channels);
  const StreamInfo floats = make_stream(1000, in.channels, in.frames);
  EXPECT_EQ(mapped<float>(params, floats, in), moved.values);
  const StreamInfo counts = make_stream(1000, in.channels, in.frames, SampleType::int16);
  const auto found = mapped<std::int16_t>(params, counts, in);
  EXPECT_EQ(std::vector<float>(found.begin(), found.end()), moved.values);
}

TEST(ChannelMap, CarriesWhatAChannelIs) {
  StreamInfo in = make_stream(1000, 3, 1, SampleType::int16);
  in.channels[2].gain = 0.195;
  in.channels[2].offset = -6389.76;
  in.channels[0].unit = "V";
  const auto map = planned(pairs_of({named("ch2", 0, "left"), pair(0, 1)}), in);
  ASSERT_EQ(map.channels.size(), 2);
  EXPECT_EQ(map.channels[0].name, "left");
  EXPECT_EQ(map.channels[0].gain, 0.195);
  EXPECT_EQ(map.channels[0].offset, -6389.76);
  EXPECT_EQ(map.channels[0].source_index, 2);
  EXPECT_EQ(map.channels[1].name, "ch0");
  EXPECT_EQ(map.channels[1].unit, "V");
  EXPECT_EQ(map.decisions, std::vector<std::string>{"2 of 3 channels, moved"});
}

TEST(ChannelMap, CountsFromItsBase) {
  Value params = pairs_of({pair(3, 2), pair(1, 1)});
  params.set("base", 1);
  EXPECT_EQ(mapped<float>(params, make_stream(1000, 3, 1), {1, 3, {10, 20, 30}}),
            (std::vector<float>{10, 30}));
  const Value table = Object{{"base", 1}, {"pairs", Array{pair(3, 2), pair(1, 1)}}};
  for (const char* key : {"remap", "channel_map"}) {
    const Value file = Object{{"file", Object{{key, table}}}};
    EXPECT_EQ(mapped<float>(file, make_stream(1000, 3, 1), {1, 3, {10, 20, 30}}),
              (std::vector<float>{10, 30}));
  }
}

TEST(ChannelMap, OnlyNamesWhereOrderStays) {
  const auto step =
      channel_map_operator().plan(pairs_of({named(0, 0, "a"), named(1, 1, "b")}),
                                  {.in = make_stream(1000, 2, 1), .temporary_folder = {}});
  EXPECT_TRUE(step->relabels_only());
  const auto fewer = channel_map_operator().plan(
      pairs_of({pair(0, 0)}), {.in = make_stream(1000, 2, 1), .temporary_folder = {}});
  EXPECT_FALSE(fewer->relabels_only());
}

// Cases G13 and B12: a channel has the contact wired to its place in the file, whatever was
// selected and moved since.
TEST(ChannelMap, PlacesChannelsByTheirWiring) {
  const Value probe =
      Object{{"probes", Array{Object{{"contact_positions",
                                      Array{Array{2, 20}, Array{0, 0}, Array{1, 10}, Array{3, 30}}},
                                     {"device_channel_indices", Array{1, 2, 0, -1}},
                                     {"shank_ids", Array{"c", "a", "b", "d"}}}}}};
  StreamInfo in = make_stream(1000, 4, 1);
  Value params = Object{{"probe", probe}};
  const auto map = planned(params, in);
  EXPECT_EQ(map.channels[0].position, (std::array<double, 3>{1, 10, 0}));
  EXPECT_EQ(map.channels[1].position, (std::array<double, 3>{2, 20, 0}));
  EXPECT_EQ(map.channels[2].group, "a");
  EXPECT_FALSE(map.channels[3].position);
  EXPECT_EQ(map.decisions, std::vector<std::string>{"3 of 4 channels have a contact of the probe"});
  in.channels.erase(in.channels.begin());
  params.set("pairs", Array{pair(1, 0), pair(0, 1)});
  const auto selected = planned(params, in);
  EXPECT_EQ(selected.channels[0].group, "a");
  EXPECT_EQ(selected.channels[1].position, (std::array<double, 3>{2, 20, 0}));
}

TEST(ChannelMap, KeepsBitsThatAreNoNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto out = mapped<float>(pairs_of({pair(1, 0), pair(0, 1)}), make_stream(1000, 2, 1),
                                 {1, 2, {nan, -0.0F}});
  EXPECT_TRUE(std::signbit(out[0]));
  EXPECT_TRUE(std::isnan(out[1]));
}

TEST(ChannelMap, NamesTheFieldThatIsWrong) {
  StreamInfo stream = make_stream(1000, 3, 1);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text, [&] { planned(params, stream); });
  };
  refused(Object{}, "pairs: neither pairs, a file nor a probe is given");
  refused(pairs_of({pair(0, 0), pair(0, 1)}),
          "pairs: from: input 0 (\"ch0\") makes outputs 0 and 1");
  refused(pairs_of({pair(0, 0), pair(1, 0)}), "pairs: to: output 0 has two inputs, 0 and 1");
  refused(pairs_of({pair(0, 0), pair(1, 2)}), "pairs: to: 2 pairs make outputs 0 to 1, not 2");
  refused(pairs_of({pair(3, 0)}), "pairs: from: there is no channel 3; the stream has 0 to 2");
  refused(pairs_of({pair("tip", 0)}), "pairs: from: no channel is called \"tip\"");
  refused(pairs_of({named(0, 0, "x"), named(1, 1, "x")}),
          "pairs: name: outputs 0 and 1 would both be called \"x\"");
  refused(pairs_of({named(0, 0, "ch1"), pair(1, 1)}), "would both be called \"ch1\"");
  refused(pairs_of({Object{{"from", 0}, {"too", 1}}}),
          "pair 0: unknown key \"too\"; did you mean \"to\"?");
  refused(pairs_of({Object{{"from", 0}}}), "pair 0: to is required");
  refused(Object{{"file", Object{{"remap", Object{}}}}}, "file: has no pairs");
  refused(Object{{"file", Object{{"map", Object{}}}}}, "file: unknown key \"map\"");
  refused(Object{{"file", Object{{"remap", Object{{"base", 2}}}}}}, "file: base: 2 is neither");
  refused(Object{{"file", Object{}}, {"pairs", Array{pair(0, 0)}}}, "file: pairs are given too");
  refused(Object{{"file", Object{}}, {"base", 0}}, "base: the file says what its base is");
  refused(Object{{"probe", Object{}}}, "probe: the key \"probes\" is missing");
  const Object far{{"contact_positions", Array{Array{0, 0}}}, {"device_channel_indices", Array{7}}};
  const Object one{{"contact_positions", Array{Array{0, 0}}}};
  refused(Object{{"probe", Object{{"probes", Array{far}}}}}, "probe: none of its 1 wired contacts");
  stream.channels[1].source_index = 0;
  refused(Object{{"probe", Object{{"probes", Array{one}}}}},
          "probe: two channels are at position 0 of their files");
}
}  // namespace
}  // namespace weir::signal
