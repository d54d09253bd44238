#include "weir/op/device_convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "weir/compute/convert.h"
#include "weir/core/buffer.h"
#include "weir/testing/required.h"
#include "weir/testing/samples.h"

namespace weir::op {
namespace {

constexpr std::int64_t kFrames = 33;
constexpr std::int64_t kChannels = 37;

/// A block of the same type on the device, which begins and strides where nobody expects it.
DeviceBlock place_for(compute::Device& device, SampleType type) {
  DeviceBlock block;
  block.type = type;
  block.first = 3;
  block.frames = kFrames;
  block.channels = kChannels;
  block.stride = kChannels + 2;
  block.buffer =
      device.allocate(static_cast<std::size_t>(3 + kFrames * block.stride) * size_of(type));
  return block;
}

template <class T>
class OnDevice {
 public:
  static DeviceBlock upload(compute::Device& device, compute::Queue& queue, Block<const T> rows) {
    const DeviceBlock block = place_for(device, type());
    std::vector<T> values(block.buffer.bytes() / sizeof(T));
    for (std::int64_t t = 0; t < kFrames; ++t) {
      std::copy_n(rows.row(t), kChannels, values.data() + block.first + t * block.stride);
    }
    queue.upload(block.buffer, values);
    return block;
  }
  static void expect_equal(compute::Queue& queue, const DeviceBlock& block, Block<const T> rows) {
    const auto values = queue.download<T>(block.buffer);
    for (std::int64_t t = 0; t < kFrames; ++t) {
      for (std::int64_t c = 0; c < kChannels; ++c) {
        const T is = values[static_cast<std::size_t>(block.first + t * block.stride + c)];
        ASSERT_EQ(is, rows.row(t)[c]) << t << " " << c;
      }
    }
  }
  static SampleType type() { return sizeof(T) == 2 ? SampleType::int16 : SampleType::float32; }
};

class DeviceConvertTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = testing::device_or_skip(GetParam());
    if (device_ != nullptr) {
      queue_ = device_->make_queue();
      convert_.emplace(DevicePlace{*device_, *queue_, kFrames});
    }
    const testing::Samples noise = testing::noise(kFrames, kChannels, 20'000);
    for (std::int64_t t = 0; t < kFrames; ++t) {
      for (std::int64_t c = 0; c < kChannels; ++c) {
        floats_.as<float>()(t, c) = noise(t, c);
        counts_.as<std::int16_t>()(t, c) = static_cast<std::int16_t>(noise(t, c) / 4);
      }
    }
    for (std::size_t c = 0; c < table_.size(); ++c) {
      table_[c] = 0.195F + 0.37F * static_cast<float>(c);
    }
  }
  compute::Buffer table(float add) {
    std::vector<float> values(table_.begin(), table_.begin() + kChannels);
    for (auto& value : values) {
      value += add;
    }
    return device_->allocate(*queue_, values);
  }

  std::shared_ptr<compute::Device> device_;
  std::unique_ptr<compute::Queue> queue_;
  std::optional<DeviceConvert> convert_;
  Buffer floats_{SampleType::float32, kFrames, kChannels};
  Buffer counts_{SampleType::int16, kFrames, kChannels};
  Buffer expected_{SampleType::float32, kFrames, kChannels};
  std::vector<float> table_ = std::vector<float>(64);
};

TEST_P(DeviceConvertTest, ShiftsStoredValuesWithTheProcessorsBits) {
  const DeviceBlock out = place_for(*device_, SampleType::float32);
  convert_->shift(OnDevice<std::int16_t>::upload(*device_, *queue_, counts_.as<std::int16_t>()),
                  table(0), out);
  compute::widen(counts_.as<std::int16_t>(), table_, expected_.as<float>());
  OnDevice<float>::expect_equal(*queue_, out, expected_.as<float>());
  convert_->shift(OnDevice<float>::upload(*device_, *queue_, floats_.as<float>()), table(0), out);
  compute::shift(floats_.as<float>(), table_, expected_.as<float>());
  OnDevice<float>::expect_equal(*queue_, out, expected_.as<float>());
}

TEST_P(DeviceConvertTest, MakesPhysicalValuesWithTheProcessorsBits) {
  const DeviceBlock out = place_for(*device_, SampleType::float32);
  std::vector<float> offset = table_;
  for (auto& value : offset) {
    value += 7;
  }
  const auto counts = OnDevice<std::int16_t>::upload(*device_, *queue_, counts_.as<std::int16_t>());
  convert_->to_physical(counts, table(0), table(7), out);
  compute::to_physical(Block<const std::int16_t>(counts_.as<std::int16_t>()), table_, offset,
                       expected_.as<float>());
  OnDevice<float>::expect_equal(*queue_, out, expected_.as<float>());
  const auto floats = OnDevice<float>::upload(*device_, *queue_, floats_.as<float>());
  convert_->to_physical(floats, table(0), table(7), out);
  compute::to_physical(Block<const float>(floats_.as<float>()), table_, offset,
                       expected_.as<float>());
  OnDevice<float>::expect_equal(*queue_, out, expected_.as<float>());
}

TEST_P(DeviceConvertTest, RoundsClipsAndCountsAsTheProcessor) {
  Block<float> in = floats_.as<float>();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float special[] = {0.5F,      1.5F,       -2.5F,
                           32767.4F,  -32768.5F,  1e30F,
                           kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};
  for (std::int64_t i = 0; i < 9; ++i) {
    in(0, i) = special[i];
  }
  std::vector<float> scale(64, 1.0F);
  scale[20] = 0.01F;
  Buffer expected(SampleType::int16, kFrames, kChannels);
  const std::int64_t clipped = compute::to_int16(in, scale, expected.as<std::int16_t>());
  const DeviceBlock out = place_for(*device_, SampleType::int16);
  const compute::Buffer counts =
      device_->allocate(*queue_, std::vector<std::int32_t>(kChannels, 0));
  scale.resize(kChannels);
  convert_->to_int16(OnDevice<float>::upload(*device_, *queue_, in),
                     device_->allocate(*queue_, scale), counts, out);
  OnDevice<std::int16_t>::expect_equal(*queue_, out, expected.as<std::int16_t>());
  const auto each = queue_->download<std::int32_t>(counts);
  EXPECT_EQ(std::accumulate(each.begin(), each.end(), std::int64_t{0}), clipped);
  EXPECT_GT(clipped, 5);
  EXPECT_EQ(each[20], 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceConvertTest, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace weir::op
