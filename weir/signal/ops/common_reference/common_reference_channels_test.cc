#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "weir/core/buffer.h"
#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::expect_identical;
using testing::make_samples;
using testing::make_stream;
using testing::noise;
using testing::run_operator;
using testing::Samples;

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Value list(std::initializer_list<Value> values) {
  return Value(Value::Array(values));
}

std::unique_ptr<op::Step> plan(const Value& spec, const StreamInfo& stream) {
  return common_reference_operator().plan(spec, {.in = stream, .temporary_folder = {}});
}

const std::vector<Channel>& channels_of(const op::Step& step) {
  return step.ports().front().stream.channels;
}

/// 35 channels of a probe, as Neuropixels stores them, and a digital word.
StreamInfo probe_with_sync() {
  StreamInfo stream = make_stream(30'000, 36, 40, SampleType::int16);
  for (auto& channel : stream.channels) {
    channel.gain = 2.34375;
    channel.offset = 0;
  }
  stream.channels.back().name = "SY0";
  stream.channels.back().gain = 1;
  stream.channels.back().unit = "";
  return stream;
}

Samples whole_noise(const StreamInfo& stream) {
  Samples samples = noise(stream.total_frames(), stream.channel_count(), 300);
  for (auto& value : samples.values) {
    value = std::nearbyint(value);
  }
  return samples;
}

TEST(CommonReferenceChannels, LeavesDigitalLinesAlone) {
  const StreamInfo stream = probe_with_sync();
  Samples in = whole_noise(stream);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    in(t, 35) = 32767;
  }
  Samples without{in.frames, 35, {}};
  for (std::int64_t t = 0; t < in.frames; ++t) {
    for (std::int64_t c = 0; c < 35; ++c) {
      without.values.push_back(in(t, c));
    }
  }
  StreamInfo electrical = stream;
  electrical.channels.pop_back();
  for (const char* statistic : {"median", "mean"}) {
    const Value spec = params({{"statistic", statistic}});
    const Samples out = run_operator(common_reference_operator(), spec, stream, in).samples;
    const Samples alone =
        run_operator(common_reference_operator(), spec, electrical, without).samples;
    for (std::int64_t t = 0; t < in.frames; ++t) {
      ASSERT_EQ(out(t, 35), 32767);
      for (std::int64_t c = 0; c < 35; ++c) {
        ASSERT_EQ(out(t, c), alone(t, c));
      }
    }
  }
}

TEST(CommonReferenceChannels, AsksForIntegersOnlyWhenGainAndOffsetAreOne) {
  StreamInfo stream = probe_with_sync();
  const auto form = [&] { return common_reference_operator().input_form(params({}), stream); };
  EXPECT_EQ(form().type, SampleType::int16);
  EXPECT_FALSE(form().zero_based);
  stream.channels[3].offset = 1;
  EXPECT_EQ(form().type, SampleType::float32);
  EXPECT_TRUE(form().zero_based);
  stream.channels[3].offset = 0;
  stream.channels[3].gain = 2.34376;
  EXPECT_EQ(form().type, SampleType::float32);
  stream.channels[3].gain = 2.34375;
  stream.type = SampleType::float32;
  EXPECT_EQ(form().type, SampleType::float32);
}

// Case C4 and promise P5: Intan counts with an offset, in integers and in floats.
TEST(CommonReferenceChannels, KeepsPhysicalUnitsOfExcludedChannels) {
  StreamInfo stream = make_stream(20'000, 5, 1, SampleType::int16);
  for (auto& channel : stream.channels) {
    channel.gain = 0.195;
    channel.offset = -6389.76;
  }
  stream.channels[4].gain = 0.0374;  // an auxiliary channel with its own scale
  stream.channels[4].offset = 12.5;
  const Samples in{1, 5, {32534, 32600, 32700, -1234, 1000}};
  const Value spec = params({{"exclude", list({3, "ch4"})}});
  for (const double other_gain : {0.195, 0.39}) {  // the second leaves the integer path
    stream.channels[0].gain = other_gain;
    const auto form = common_reference_operator().input_form(spec, stream);
    EXPECT_EQ(form.type, other_gain == 0.195 ? SampleType::int16 : SampleType::float32);
    StreamInfo seen = stream;
    seen.type = form.type;
    if (form.zero_based) {
      for (auto& channel : seen.channels) {
        channel.offset = 0;
      }
    }
    const auto step = plan(spec, seen);
    const Samples out = run_operator(common_reference_operator(), spec, stream, in).samples;
    const auto physical = [&](std::int64_t c) {
      const Channel& channel = channels_of(*step)[static_cast<std::size_t>(c)];
      return out(0, c) * channel.gain + channel.offset;
    };
    EXPECT_NEAR(physical(3), -1234 * 0.195 - 6389.76, 1e-3);
    EXPECT_NEAR(physical(4), 1000 * 0.0374 + 12.5, 1e-5);
    const double first = 32534 * other_gain - 6389.76;
    const double second = 32600 * 0.195 - 6389.76;
    const double third = 32700 * 0.195 - 6389.76;
    const double median =
        std::max(std::min(first, second), std::min(std::max(first, second), third));
    EXPECT_NEAR(physical(0), first - median, 2e-3);
    EXPECT_NEAR(physical(2), third - median, 2e-3);
  }
}

TEST(CommonReferenceChannels, KeepsTheOffsetOfAChannelWithoutGain) {
  StreamInfo stream = probe_with_sync();
  stream.channels.back().gain = 0;
  stream.channels.back().offset = 7;
  const auto step = plan(params({}), stream);
  EXPECT_EQ(channels_of(*step).back().offset, 7);
}

// Case C9: a negative gain turns spikes over, and the reference with them.
TEST(CommonReferenceChannels, KeepsTheSignOfAGain) {
  StreamInfo stream = make_stream(32'000, 3, 1, SampleType::int16);
  for (auto& channel : stream.channels) {
    channel.gain = -0.03;
  }
  const Samples in{1, 3, {100, 0, 10}};
  const Samples same = run_operator(common_reference_operator(), params({}), stream, in).samples;
  expect_identical(same, {1, 3, {90, -10, 0}}, "equal gains");
  EXPECT_EQ(channels_of(*plan(params({}), stream))[0].gain, -0.03);
  stream.channels[1].gain = 0.03;
  const Samples mixed = run_operator(common_reference_operator(), params({}), stream, in).samples;
  EXPECT_NEAR(mixed(0, 0) * -0.03, -3.0 + 0.3, 1e-5);
  EXPECT_NEAR(mixed(0, 1) * 0.03, 0.3, 1e-5);
}

TEST(CommonReferenceChannels, SubtractsChosenChannels) {
  const StreamInfo stream = make_stream(1000, 4, 2);
  const Samples in{2, 4, {1, 2, 4, 8, 5, 5, 5, 1}};
  const Value single = params({{"reference", "single"}, {"reference_channels", 3}});
  expect_identical(run_operator(common_reference_operator(), single, stream, in).samples,
                   {2, 4, {-7, -6, -4, 0, 4, 4, 4, 0}}, "single");
  const Value pair = params({{"scope", "channels"}, {"reference_channels", list({"ch1", 2})}});
  expect_identical(run_operator(common_reference_operator(), pair, stream, in).samples,
                   {2, 4, {-2, -1, 1, 5, 0, 0, 0, -4}}, "pair");
}

TEST(CommonReferenceChannels, GroupsByShank) {
  StreamInfo stream = make_stream(1000, 5, 1, SampleType::int16);
  for (std::size_t c = 0; c < 5; ++c) {
    stream.channels[c].group = c % 2 == 0 ? "a" : "b";
  }
  const Value spec = params({{"scope", "group"}});
  expect_identical(
      run_operator(common_reference_operator(), spec, stream, {1, 5, {1, 10, 2, 30, 9}}).samples,
      {1, 5, {-1, -10, 0, 10, 7}}, "shanks");
}

TEST(CommonReferenceChannels, PassesChannelsOfNoGroup) {
  const StreamInfo stream = make_stream(1000, 5, 1, SampleType::int16);
  const Value spec = params({{"groups", list({list({0, 1, 2})})}});
  expect_identical(
      run_operator(common_reference_operator(), spec, stream, {1, 5, {1, 10, 2, 30, 9}}).samples,
      {1, 5, {-1, 8, 0, 30, 9}}, "two are in no group");
}

TEST(CommonReferenceChannels, RefusesWhatCannotBeResolved) {
  StreamInfo stream = make_stream(1000, 4, 1);
  stream.channels[3].name = "ch2";
  const auto refused = [&](const std::string& part, const Value& spec) {
    expect_error(ErrorCode::invalid_spec, part, [&] { plan(spec, stream); });
  };
  refused("no channel is called \"x\"", params({{"exclude", list({"x"})}}));
  refused("indices 2, 3", params({{"exclude", list({"ch2"})}}));
  refused("there is no channel 4; the stream has 4", params({{"exclude", 4}}));
  refused("given twice", params({{"exclude", list({1, "ch1"})}}));
  refused("no channel is left", params({{"exclude", list({0, 1, 2, 3})}}));
  refused("a channel is an index or a name", params({{"exclude", list({true})}}));
  refused("is in groups 0 and 1", params({{"groups", list({list({0, 1}), list({1})})}}));
  refused("a group is empty", params({{"groups", list({list({})})}}));
  refused("no channel of group 0 takes part",
          params({{"groups", list({list({1})})}, {"exclude", 1}}));
  refused("needs at least one", params({{"scope", "channels"}}));
  refused("takes no part",
          params({{"scope", "channels"}, {"reference_channels", 1}, {"exclude", 1}}));
  refused("only scope channels", params({{"reference_channels", 1}}));
  refused("only scope all and scope group",
          params({{"scope", "local"}, {"groups", list({list({1})})}}));
  refused("needs positions", params({{"scope", "local"}}));
  refused("0 <= inner < outer", params({{"scope", "local"}, {"local_um", list({5, 5})}}));
  refused("0 <= inner < outer", params({{"scope", "local"}, {"local_um", list({5})}}));
  stream.channels[1].gain = 0;
  refused("gain 0", params({}));
  stream.channels[1].gain = 1;
  for (auto& channel : stream.channels) {
    channel.unit = "";
  }
  stream.channels[1].unit = "g";
  refused("cannot be compared", params({}));
}

TEST(CommonReferenceChannels, DoesNotDependOnTheCut) {
  for (const auto type : {SampleType::int16, SampleType::float32}) {
    StreamInfo stream = make_stream(30'000, 70, 301, type);
    for (std::size_t c = 0; c < stream.channels.size(); ++c) {
      stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
    }
    const Samples in = whole_noise(stream);
    for (const char* statistic : {"median", "mean"}) {
      for (const char* scope : {"all", "local"}) {
        const Value spec = params({{"statistic", statistic}, {"scope", scope}});
        const auto& made = common_reference_operator();
        const Samples whole = run_operator(made, spec, stream, in).samples;
        for (const auto& cuts : {testing::Cuts{.frames = {1}}, testing::Cuts{.frames = {31, 2, 97}},
                                 testing::Cuts{.frames = {64, 33}, .reload_state = true}}) {
          expect_identical(run_operator(made, spec, stream, in, cuts).samples, whole, scope);
        }
      }
    }
  }
}

TEST(CommonReferenceChannels, RunsStretchesAtTheSameTime) {
  const StreamInfo stream = make_stream(30'000, 70, 400, SampleType::int16);
  Buffer in(SampleType::int16, 400, 70);
  const Samples counts = whole_noise(stream);
  for (std::int64_t t = 0; t < 400; ++t) {
    for (std::int64_t c = 0; c < 70; ++c) {
      in.as<std::int16_t>()(t, c) = static_cast<std::int16_t>(counts(t, c));
    }
  }
  const auto step = plan(params({}), stream);
  ASSERT_EQ(step->parallel(), op::Parallel::frames);
  const auto state = step->start({0, 0, 0, 70});
  Buffer whole(SampleType::float32, 400, 70);
  Buffer parts(SampleType::float32, 400, 70);
  const auto run = [&](const Buffer& to, std::int64_t first, std::int64_t count) {
    op::Emission out{to.block().slice(first, count)};
    step->run(*state, in.block().slice(first, count), std::span(&out, 1));
  };
  run(whole, 0, 400);
  std::vector<std::thread> threads;
  for (std::int64_t first = 0; first < 400; first += 100) {
    threads.emplace_back(run, std::cref(parts), first, 100);
  }
  for (auto& thread : threads) {
    thread.join();
  }
  for (std::int64_t t = 0; t < 400; ++t) {
    for (std::int64_t c = 0; c < 70; ++c) {
      ASSERT_EQ(parts.as<float>()(t, c), whole.as<float>()(t, c));
    }
  }
}
}  // namespace
}  // namespace weir::signal
