#include "weir/op/device_pick.h"

#include <gtest/gtest.h>

#include <numeric>

#include "weir/testing/required.h"

namespace weir::op {
namespace {

template <class T>
DeviceBlock block_of(compute::Device& device, compute::Queue& queue, const std::vector<T>& values,
                     std::int64_t channels, std::int64_t first) {
  DeviceBlock block;
  block.type = sizeof(T) == sizeof(std::int16_t) ? SampleType::int16 : SampleType::float32;
  block.first = first;
  block.channels = channels;
  block.stride = channels + 2;
  block.frames = (static_cast<std::int64_t>(values.size()) - first) / block.stride;
  block.buffer = device.allocate(queue, values);
  return block;
}

class DevicePickTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { device_ = testing::device_or_skip(GetParam()); }

  template <class T>
  void expect_picked_in_fours() {
    const auto queue = device_->make_queue();
    std::vector<T> in(33 * 7);
    std::iota(in.begin(), in.end(), T{0});
    const DeviceBlock from = block_of(*device_, *queue, in, 5, 0);
    const DeviceBlock to = block_of(*device_, *queue, std::vector<T>(33 * 8, T{-1}), 6, 0);
    DevicePick(DevicePlace{*device_, *queue, 33}, {4, 0, 2, 2, 1, 3}).pick(from, to);
    const auto out = queue->download<T>(to.buffer);
    for (std::size_t t = 0; t < 33; ++t) {
      const auto row = static_cast<int>(7 * t);
      const std::vector<T> found(out.begin() + static_cast<std::ptrdiff_t>(8 * t),
                                 out.begin() + static_cast<std::ptrdiff_t>(8 * t + 7));
      const std::vector<int> wanted{row + 4, row, row + 2, row + 2, row + 1, row + 3, -1};
      EXPECT_EQ(found, std::vector<T>(wanted.begin(), wanted.end()));
    }
  }

  template <class T>
  void expect_picked() {
    const auto queue = device_->make_queue();
    std::vector<T> in(5 + 33 * 7);
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<T>(i);
    }
    const DeviceBlock from = block_of(*device_, *queue, in, 5, 5);
    const DeviceBlock to = block_of(*device_, *queue, std::vector<T>(33 * 5, T{-1}), 3, 0);
    DevicePick(DevicePlace{*device_, *queue, 33}, {4, 0, 2}).pick(from, to);
    const auto out = queue->download<T>(to.buffer);
    for (std::int64_t t = 0; t < 33; ++t) {
      const std::int64_t row = 5 + 7 * t;
      const auto at = static_cast<std::size_t>(5 * t);
      EXPECT_EQ(out[at], static_cast<T>(row + 4));
      EXPECT_EQ(out[at + 1], static_cast<T>(row));
      EXPECT_EQ(out[at + 2], static_cast<T>(row + 2));
      EXPECT_EQ(out[at + 3], T{-1});  // What lies between rows is left alone.
    }
  }

  std::shared_ptr<compute::Device> device_;
};

TEST_P(DevicePickTest, PutsChannelsSideBySideInTheOrderAskedFor) {
  expect_picked<std::int16_t>();
  expect_picked<float>();
  expect_picked_in_fours<std::int16_t>();
  expect_picked_in_fours<float>();
}

INSTANTIATE_TEST_SUITE_P(Targets, DevicePickTest, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace weir::op
