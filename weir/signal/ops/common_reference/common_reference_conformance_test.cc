#include <gtest/gtest.h>

#include <limits>

#include "weir/op/device_step.h"
#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/testing/conformance.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

StreamInfo probe() {
  StreamInfo stream = testing::make_stream(30'000, 37, 3000);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
    stream.channels[c].group = c < 20 ? "a" : "b";
  }
  return stream;
}

TEST(CommonReferenceConformance, KeepsTheMediansPromises) {
  testing::check_operator(common_reference_operator(), params({}), probe(), {.int16_input = true});
}

TEST(CommonReferenceConformance, KeepsTheMeansPromises) {
  testing::check_operator(common_reference_operator(), params({{"statistic", "mean"}}), probe(),
                          {.int16_input = true});
}

TEST(CommonReferenceConformance, KeepsThePromisesOfGroups) {
  for (const char* statistic : {"median", "mean"}) {
    testing::check_operator(common_reference_operator(),
                            params({{"statistic", statistic}, {"scope", "group"}}), probe(),
                            {.int16_input = true});
  }
}

/// What the host build of the device kernels makes of `in` equals the CPU's answer to the bit.
void expect_same_bits_on_device(const Value& spec, const StreamInfo& stream,
                                const testing::Samples& in) {
  const auto bound = testing::bind(common_reference_operator(), spec, stream);
  const Buffer data = testing::formed(bound, stream, in);
  const auto device = compute::open_device("host");
  testing::expect_identical(testing::run_on_device(bound, data.block(), *device).samples,
                            testing::run_bound(bound, data.block()).samples, to_json(spec));
}

TEST(CommonReferenceConformance, GivesTheSameBitsOnDevices) {
  const Value near(Value::Array{40.0, 90.0});
  const Value some(Value::Array{1, 5, 6, 30});
  for (const char* statistic : {"median", "mean"}) {
    for (const auto type : {SampleType::int16, SampleType::float32}) {
      StreamInfo stream = testing::reshaped(probe(), 37, {50}, type);
      testing::Samples in = testing::probe_samples(stream);
      const Value all = params({{"statistic", statistic}});
      const Value local =
          params({{"statistic", statistic}, {"scope", "local"}, {"local_um", near}});
      const Value few = params({{"statistic", statistic},
                                {"scope", "channels"},
                                {"reference_channels", some},
                                {"exclude", Value(Value::Array{2, 36})}});
      for (const Value& spec : {all, local, few}) {
        expect_same_bits_on_device(spec, stream, in);
      }
      for (std::size_t c = 0; c < stream.channels.size(); ++c) {
        stream.channels[c].gain = 0.195 * (1 + 0.01 * static_cast<double>(c));
      }
      expect_same_bits_on_device(all, stream, in);
      expect_same_bits_on_device(local, stream, in);
    }
  }
}

Value::Array lists_of_hundred(std::int64_t channels) {
  Value::Array lists;
  for (std::int64_t first = 0; first < channels; first += 100) {
    Value::Array list;
    for (std::int64_t c = first; c < first + 100; ++c) {
      list.emplace_back(c);
    }
    lists.emplace_back(list);
  }
  return lists;
}

class WideReference : public ::testing::TestWithParam<const char*> {};

// The kernels for rows of any width; check_operator's probes have 384 channels at most.
TEST_P(WideReference, GivesTheSameBits) {
  const auto device = testing::device_or_skip(GetParam());
  if (device == nullptr) {
    return;
  }
  for (const auto type : {SampleType::int16, SampleType::float32}) {
    const StreamInfo stream = testing::reshaped(probe(), 1000, {37}, type);
    const testing::Samples in = testing::probe_samples(stream);
    for (const char* statistic : {"median", "mean"}) {
      for (const Value& spec : {params({{"statistic", statistic}}),
                                params({{"statistic", statistic},
                                        {"scope", "group"},
                                        {"groups", Value(lists_of_hundred(1000))}})}) {
        const auto bound = testing::bind(common_reference_operator(), spec, stream);
        const Buffer data = testing::formed(bound, stream, in);
        for (const bool aligned : {false, true}) {
          testing::expect_identical(
              testing::run_on_device(bound, data.block(), *device, {.aligned = aligned}).samples,
              testing::run_bound(bound, data.block()).samples, to_json(spec));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, WideReference, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CommonReferenceConformance, OrdersSpecialValuesTheSameOnDevices) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLargest = std::numeric_limits<float>::max();
  const testing::Samples in{3,
                            4,
                            {-kInfinity, -0.0F, 0.0F, kInfinity, kLargest, kLargest, 1, kInfinity,
                             0x1p-140F, -1, 0x1p-139F, 2}};
  expect_same_bits_on_device(params({}), testing::make_stream(1000, 4, 3), in);
}

TEST(CommonReferenceConformance, StaysOnTheProcessorWhereARowIsTooWideForADevice) {
  const auto device = compute::open_device("host");
  const auto queue = device->make_queue();
  for (const char* statistic : {"median", "mean"}) {
    for (const std::int64_t channels : {10'000, 12'000}) {
      const auto stream = testing::make_stream(1000, channels, 1);
      const auto step = common_reference_operator().plan(params({{"statistic", statistic}}),
                                                         {.in = stream, .temporary_folder = {}});
      const bool fits = channels == 10'000 || std::string(statistic) == "mean";
      EXPECT_EQ(step->device({*device, *queue, 1}, {0, 0, 0, channels}) != nullptr, fits)
          << statistic << channels;
    }
  }
}
}  // namespace
}  // namespace weir::signal
