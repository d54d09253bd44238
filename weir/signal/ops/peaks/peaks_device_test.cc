#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "weir/op/device_step.h"
#include "weir/signal/ops/peaks/peaks.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Samples;

constexpr std::int64_t kChannels = 5;

Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

StreamInfo probe(std::int64_t frames) {
  StreamInfo stream = testing::make_stream(1000, kChannels, frames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  stream.channels[1].gain = -1;
  stream.channels[3].gain = 0.1;
  return stream;
}

/// Whatever the rules ask for, in several mixtures.
std::vector<Value> all_rules() {
  return {members({{"threshold", 0.5}, {"peak_sign", "both"}}),
          members({{"distance_s", 0.003}, {"peak_sign", "both"}}),
          members({{"distance_s", 0.004}, {"max_cluster_s", 0.012}}),
          members({{"distance_s", 0.003}, {"radius_um", 25.0}, {"peak_sign", "both"}}),
          members({{"distance_s", 0.005}, {"radius_um", 45.0}, {"max_cluster_s", 0.014}}),
          members({{"prominence", 1.0}, {"wlen_s", 0.021}, {"peak_sign", "both"}}),
          members({{"width_s", 0.002}, {"wlen_s", 0.03}, {"peak_sign", "neg"}}),
          members({{"height", 0.5},
                   {"threshold", 0.0},
                   {"distance_s", 0.003},
                   {"radius_um", 25.0},
                   {"prominence", 0.5},
                   {"width_s", 0.001},
                   {"wlen_s", 0.05}})};
}

/// Recordings on which rules are hard to follow, on a device as on the CPU.
class PeaksDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { device_ = testing::device_or_skip(GetParam()); }

  void check(const Value& params, const Samples& in) {
    SCOPED_TRACE(to_json(params));
    const StreamInfo stream = probe(in.frames);
    const auto bound = testing::bind(peaks_operator(), params, stream);
    const Buffer data = testing::formed(bound, stream, in);
    auto on_cpu = testing::run_bound(bound, data.block());
    EXPECT_FALSE(on_cpu.events.empty());
    const auto counters = std::move(on_cpu.counters);
    on_cpu.counters.clear();
    for (const testing::Cuts& cuts : {testing::Cuts{}, testing::Cuts{.frames = {129, 1, 40}},
                                      testing::Cuts{.frames = {61}, .reload_state = true},
                                      testing::Cuts{.frames = {150}, .in_turns = true}}) {
      const auto on_device = testing::run_on_device(bound, data.block(), *device_, cuts);
      EXPECT_EQ(testing::difference(on_device, on_cpu), "");
    }
    expect_counters(bound, data.block());
  }

  /// Before the end, when all is forced that will be.
  void expect_counters(const testing::BoundStep& bound, AnyBlock data) {
    const auto queue = device_->make_queue();
    const op::StartPoint at{0, 0, 0, kChannels};
    const op::DevicePlace place{*device_, *queue, data.frames()};
    const auto step = bound.step->device(place, at);
    op::DeviceBlock rows;
    rows.frames = data.frames();
    rows.channels = rows.stride = kChannels;
    std::vector<float> packed;
    for (std::int64_t f = 0; f < data.frames(); ++f) {
      const float* row = data.as<float>().row(f);
      packed.insert(packed.end(), row, row + kChannels);
    }
    rows.buffer = device_->allocate(*queue, packed);
    op::DeviceEmission out;
    out.events.capacity = bound.step->max_events(kChannels, data.frames());
    out.events.rows = device_->allocate(op::DeviceEvents::bytes_for(out.events.capacity));
    step->run(rows, {&out, 1});
    const auto counted = bound.step->start(at);
    step->hand_over(*counted);
    const auto expected = bound.step->start(at);
    EventList events;
    op::Emission emission{{}, 0, &events};
    bound.step->run(*expected, data, {&emission, 1});
    ASSERT_EQ(counted->counters().size(), expected->counters().size());
    for (std::size_t i = 0; i < expected->counters().size(); ++i) {
      EXPECT_EQ(counted->counters()[i].count, expected->counters()[i].count)
          << expected->counters()[i].what;
    }
  }

  std::shared_ptr<compute::Device> device_;
};

/// Few values, so that most tops are flat and most heights equal.
Samples steps(std::int64_t frames) {
  Samples in = testing::noise(frames, kChannels, 3);
  for (float& value : in.values) {
    value = std::round(value);
  }
  return in;
}

TEST_P(PeaksDevice, FollowsFlatTopsAndEqualHeights) {
  for (const Value& params : all_rules()) {
    check(params, steps(900));
  }
}

TEST_P(PeaksDevice, FollowsTopsThatAreTooFlatAndAcrossBlocks) {
  Samples in = steps(900);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    in(t, 0) = t >= 100 && t < 420 ? 7.0F : in(t, 0);   // longer than any cluster but one
    in(t, 1) = t >= 120 && t < 135 ? -9.0F : in(t, 1);  // over a time of selection
    in(t, 2) = t >= 250 && t < 259 ? 9.0F : in(t, 2);
    in(t, 3) = t >= 880 ? 9.0F : in(t, 3);  // does not end
  }
  for (const Value& params : all_rules()) {
    check(params, in);
  }
}

TEST_P(PeaksDevice, ForcesWhatWaitsTooLong) {
  // Every peak has a higher one near by, on every channel at once, or one after the other.
  Samples in{1500, kChannels, std::vector<float>(1500 * kChannels)};
  for (std::int64_t t = 0; t < in.frames; ++t) {
    for (std::int64_t c = 0; c < kChannels; ++c) {
      const bool peak = (t + (t < 700 ? 0 : c)) % 2 != 0;
      in(t, c) = static_cast<float>(t) * (c == 1 ? -1.0F : 1.0F) + (peak ? 10.0F : 0.0F);
    }
  }
  for (const Value& params : all_rules()) {
    if (params.find("distance_s") != nullptr && params.find("prominence") == nullptr) {
      check(params, in);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PeaksDevice, ::testing::Values("host", "opencl", "cuda"));
}  // namespace
}  // namespace weir::signal
