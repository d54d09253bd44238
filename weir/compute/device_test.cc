#include "weir/compute/device.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "weir/testing/conformance.h"
#include "weir/testing/required.h"
#include "weir/testing/toy_cl.h"

namespace weir::compute {
namespace {

class DeviceTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = testing::device_or_skip(GetParam());
    if (device_ != nullptr) {
      queue_ = device_->make_queue();
    }
  }
  Kernel toy(std::string_view entry, Real real = Real::float32) {
    return device_->kernel(kernels::kToy, entry, real);
  }
  std::shared_ptr<Device> device_;
  std::unique_ptr<Queue> queue_;
};

TEST_P(DeviceTest, RunsOneTextInBothPrecisions) {
  std::vector<double> x(1025);
  std::iota(x.begin(), x.end(), 0.1);
  const std::vector<double> y(x.size(), 1.0);
  const Buffer on_x = device_->allocate(*queue_, x);
  const Buffer on_y = device_->allocate(*queue_, y);
  queue_->launch(toy("toy_axpy", Real::float64), {.items = {300, 1}},
                 {1.0 / 3, on_x, on_y, std::int64_t{1025}});
  const auto wide = queue_->download<double>(on_y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(wide[i], std::fma(1.0 / 3, x[i], 1.0)) << i;
  }
  const std::vector<float> narrow_x(x.begin(), x.end());
  const Buffer on_narrow_x = device_->allocate(*queue_, narrow_x);
  const Buffer on_narrow_y = device_->allocate(*queue_, std::vector<float>(x.size(), 1.0F));
  queue_->launch(toy("toy_axpy"), {.items = {1025, 1}},
                 {1.0F / 3, on_narrow_x, on_narrow_y, std::int64_t{1025}});
  const auto narrow = queue_->download<float>(on_narrow_y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(narrow[i], std::fma(1.0F / 3, narrow_x[i], 1.0F)) << i;
  }
}

TEST_P(DeviceTest, DoesNotFuseWhatTheTextDoesNotFuse) {
  // (1 + e)^2 - (1 + 2e) is e^2 fused and 0 in two roundings.
  const float one = 1 + 0x1p-20F;
  const std::vector<float> c{-(1 + 0x1p-19F)};
  const Buffer a = device_->allocate(*queue_, std::vector<float>{one});
  const Buffer minus = device_->allocate(*queue_, c);
  const Buffer out = device_->allocate(4);
  queue_->launch(toy("toy_multiply_add"), {.items = {1, 1}}, {a, a, minus, out, 1});
  EXPECT_EQ(queue_->download<float>(out)[0], 0.0F);
}

TEST_P(DeviceTest, ItemsOfAGroupMeetAtBarriers) {
  std::vector<float> x(1000);
  std::iota(x.begin(), x.end(), 1.0F);
  const Buffer in = device_->allocate(*queue_, x);
  const Buffer sums = device_->allocate(8 * sizeof(float));
  queue_->launch(toy("toy_sums"),
                 {.items = {1000, 1}, .group = {128, 1}, .local_bytes = 128 * sizeof(float)},
                 {in, sums, 1000});
  const auto parts = queue_->download<float>(sums);
  for (std::size_t group = 0; group < parts.size(); ++group) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(128 * group);
    const auto count = std::min<std::size_t>(128, x.size() - 128 * group);
    EXPECT_EQ(parts[group],
              std::accumulate(first, first + static_cast<std::ptrdiff_t>(count), 0.0F));
  }
}

TEST_P(DeviceTest, CoversAPlaneWithAwkwardGroups) {
  const Buffer plane = device_->allocate(37 * 11 * sizeof(int));
  queue_->launch(toy("toy_ids"), {.items = {37, 11}, .group = {16, 4}}, {plane, 37, 11});
  const auto ids = queue_->download<int>(plane);
  for (int row = 0; row < 11; ++row) {
    for (int column = 0; column < 37; ++column) {
      ASSERT_EQ(ids[static_cast<std::size_t>(row * 37 + column)], row * 1000 + column);
    }
  }
}

TEST_P(DeviceTest, CopiesAndClearsPartsOfBuffers) {
  const Buffer from = device_->allocate(*queue_, std::vector<int>{1, 2, 3, 4});
  const Buffer to = device_->allocate(4 * sizeof(int));
  queue_->clear(to);
  queue_->copy(from, sizeof(int), to, 2 * sizeof(int), 2 * sizeof(int));
  EXPECT_EQ(queue_->download<int>(to), (std::vector<int>{0, 0, 2, 3}));
  std::array<int, 1> last{};
  queue_->download(to, 3 * sizeof(int), std::as_writable_bytes(std::span(last)));
  EXPECT_EQ(last[0], 3);
}

TEST_P(DeviceTest, RefusesArgumentsThatAreNotTheKernels) {
  const Buffer plane = device_->allocate(64);
  const Kernel ids = toy("toy_ids");
  testing::expect_error(ErrorCode::internal, "argument 1 is int32, not int64",
                        [&] { queue_->launch(ids, {}, {plane, std::int64_t{4}, 1}); });
  testing::expect_error(ErrorCode::internal, "2 arguments",
                        [&] { queue_->launch(ids, {}, {plane, 4}); });
  testing::expect_error(ErrorCode::internal, "wants local memory",
                        [&] { queue_->launch(toy("toy_sums"), {}, {plane, plane, 1}); });
  testing::expect_error(ErrorCode::internal, "no kernel toy_nothing", [&] { toy("toy_nothing"); });
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceTest, ::testing::Values("host", "opencl"),
                         [](const auto& test) { return std::string(test.param); });

TEST(HostDevice, SeesItemsThatDisagreeAboutABarrier) {
  const auto device = open_device("host");
  const auto queue = device->make_queue();
  const Buffer out = device->allocate(4 * sizeof(int));
  testing::expect_error(ErrorCode::internal, "disagree about a barrier", [&] {
    queue->launch(device->kernel(kernels::kToy, "toy_divergent"),
                  {.items = {4, 1}, .group = {4, 1}}, {out});
  });
}

TEST(OpenclDevice, QuotesTheLineThatDoesNotCompile) {
  const auto device = testing::device_or_skip("opencl");
  if (device == nullptr) {
    return;
  }
  const KernelEntry entry{"wrong", {}};
  const KernelSource source{"weir/somewhere/wrong.cl",
                            "KERNEL void wrong(GLOBAL int* x) {\n"
                            "  x[0] = nothing_of_that_name;\n"
                            "}\n",
                            {&entry, 1}};
  testing::expect_error(ErrorCode::device,
                        "weir/somewhere/wrong.cl:2: the device compiler refused "
                        "\"x[0] = nothing_of_that_name;\"",
                        [&] { device->kernel(source, "wrong"); });
}

}  // namespace
}  // namespace weir::compute
