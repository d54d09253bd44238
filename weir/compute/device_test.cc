#include "weir/compute/device.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "weir/core/error.h"
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

TEST_P(DeviceTest, CompilesConstantsWhereTheHostHasArguments) {
  const Buffer x = device_->allocate(*queue_, std::vector<float>{1, 2, 3});
  const Buffer y = device_->allocate(3 * sizeof(float));
  for (const int times : {2, 4, 2}) {
    const Kernel repeat = device_->kernel(kernels::kToy, "toy_repeat", {{"TIMES", times}});
    queue_->launch(repeat, {.items = {3, 1}}, {x, y, std::int64_t{3}, times});
    const auto scale = static_cast<float>(times);
    EXPECT_EQ(queue_->download<float>(y), (std::vector<float>{scale, 2 * scale, 3 * scale}));
  }
  queue_->launch(toy("toy_repeat"), {.items = {3, 1}}, {x, y, std::int64_t{3}, 3});
  EXPECT_EQ(queue_->download<float>(y), (std::vector<float>{3, 6, 9}));
  testing::expect_error(ErrorCode::internal, "toy.cl: defines no constant TIME",
                        [&] { device_->kernel(kernels::kToy, "toy_repeat", {{"TIME", 1}}); });
}

TEST_P(DeviceTest, TakesManyFloatsAsOneArgument) {
  Floats128 weights;
  for (int i = 0; i < 128; ++i) {
    weights.at[i] = static_cast<float>(i);
  }
  const Buffer x = device_->allocate(*queue_, std::vector<float>(200, 0.5F));
  const Buffer y = device_->allocate(200 * sizeof(float));
  queue_->launch(toy("toy_weigh"), {.items = {100, 1}}, {x, y, std::int64_t{200}, weights});
  weights = {};  // the launch has its own
  const auto weighed = queue_->download<float>(y);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(weighed[static_cast<std::size_t>(i)], 0.5F * static_cast<float>(i % 128));
  }
}

TEST_P(DeviceTest, OrdersFloatsAndKeepsNan) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Buffer x = device_->allocate(*queue_, std::vector<float>{1, 2, kNan, 3, kInf, -kInf});
  const Buffer y = device_->allocate(*queue_, std::vector<float>{2, 1, 3, kNan, kNan, 5});
  const Buffer lesser = device_->allocate(6 * sizeof(float));
  const Buffer greater = device_->allocate(6 * sizeof(float));
  queue_->launch(toy("toy_order"), {.items = {6, 1}}, {x, y, lesser, greater, std::int64_t{6}});
  const auto low = queue_->download<float>(lesser);
  const auto high = queue_->download<float>(greater);
  EXPECT_EQ(low[0], 1);
  EXPECT_EQ(high[0], 2);
  EXPECT_EQ(low[1], 1);
  EXPECT_EQ(high[1], 2);
  for (const std::size_t i : {2, 3, 4}) {
    EXPECT_TRUE(std::isnan(low[i]) && std::isnan(high[i])) << i;
  }
  EXPECT_EQ(low[5], -kInf);
  EXPECT_EQ(high[5], 5);
}

TEST(Constants, ReplaceWhatTheTextDefinesAndKeepItsLines) {
  const KernelSource source{"weir/some.cl", "\n#define WIDTH width\nint x = WIDTH;\n", {}};
  const Constant width{"WIDTH", 9};
  EXPECT_EQ(specialised(source, {&width, 1}), "\n#define WIDTH 9\nint x = WIDTH;\n");
  EXPECT_EQ(specialised(source, {}), source.text);
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

TEST_P(DeviceTest, QueuesMeetAtFences) {
  constexpr int kCount = 1 << 20;
  const auto uploads = device_->make_queue();
  const auto downloads = device_->make_queue();
  const HostMemory in = device_->allocate_host(kCount * sizeof(float));
  const HostMemory out = device_->allocate_host(kCount * sizeof(float));
  std::iota(in.as<float>().begin(), in.as<float>().end(), 0.0F);
  const Buffer x = device_->allocate(kCount * sizeof(float));
  const Buffer y = device_->allocate(kCount * sizeof(float));
  queue_->clear(y);
  uploads->start_upload(x, 0, in, 0, kCount * sizeof(float) / 2);
  uploads->start_upload(x, kCount * sizeof(float) / 2, in, kCount * sizeof(float) / 2,
                        kCount * sizeof(float) / 2);
  queue_->wait(uploads->record());
  queue_->launch(toy("toy_axpy"), {.items = {1 << 16, 1}}, {2.0F, x, y, std::int64_t{kCount}});
  downloads->wait(queue_->record());
  downloads->start_download(y, 4, out, 0, (kCount - 1) * sizeof(float));
  const Fence done = downloads->record();
  done.wait();
  EXPECT_TRUE(done.reached());
  for (int i = 1; i < kCount; ++i) {
    ASSERT_EQ(out.as<float>()[static_cast<std::size_t>(i - 1)], 2.0F * static_cast<float>(i)) << i;
  }
}

TEST_P(DeviceTest, HostMemoryAndBuffersOutliveTheirDevice) {
  Buffer buffer = device_->allocate(0);
  HostMemory memory = device_->allocate_host(1025);
  queue_.reset();
  device_.reset();
  EXPECT_EQ(memory.bytes().size(), 1025U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % 64, 0U);
  std::fill(memory.bytes().begin(), memory.bytes().end(), std::byte{7});
  EXPECT_EQ(memory.bytes().back(), std::byte{7});
}

TEST_P(DeviceTest, FlushesDenormals) {
  if (device_ != nullptr && device_->target().kind == TargetKind::opencl &&
      device_->target().driver.find("PoCL") == std::string::npos) {
    GTEST_SKIP() << "OpenCL's -cl-denorms-are-zero is a hint: NVIDIA's driver keeps a denormal "
                    "factor of a product";
  }
  const std::vector<float> tiny{0x1p-140F, 0x1p-120F};
  const Buffer a = device_->allocate(*queue_, tiny);
  const Buffer b = device_->allocate(*queue_, std::vector<float>{0x1p+20F, 0x1p-20F});
  const Buffer c = device_->allocate(*queue_, std::vector<float>{0, 0});
  const Buffer out = device_->allocate(8);
  queue_->launch(toy("toy_multiply_add"), {.items = {2, 1}}, {a, b, c, out, 2});
  const auto values = queue_->download<float>(out);
  EXPECT_EQ(values[0], 0.0F) << "a denormal operand";
  EXPECT_EQ(values[1], 0.0F) << "a denormal result";
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

INSTANTIATE_TEST_SUITE_P(Targets, DeviceTest, ::testing::Values("host", "opencl", "cuda"),
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

TEST(CudaDevice, SaysWhatItCannotAllocateAndWhatIsFree) {
  const auto device = testing::device_or_skip("cuda");
  if (device == nullptr) {
    return;
  }
  testing::expect_error(ErrorCode::device, "allocating 1125899906842624 bytes of device memory; ",
                        [&] { device->allocate(std::size_t{1} << 50); });
  testing::expect_error(ErrorCode::device, "are free, on cuda:0 (" + device->target().device,
                        [&] { device->allocate(std::size_t{1} << 50); });
  const auto queue = device->make_queue();
  EXPECT_EQ(queue->download<int>(device->allocate(*queue, std::vector<int>{5})),
            std::vector<int>{5});
}

/// Writes far beyond every allocation, and prints what the next wait says.
void lose_device(Device& device) {
  const auto queue = device.make_queue();
  constexpr int kFar = std::numeric_limits<int>::max();
  try {
    queue->launch(device.kernel(kernels::kToy, "toy_ids"), {.items = {1, 1 << 16}, .group = {1, 1}},
                  {device.allocate(64), kFar, kFar});
    queue->finish();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", std::string(name(error.code())).c_str(), error.what());
    std::exit(exit_code(error.code()));
  }
}

TEST(CudaDeviceDeathTest, ALostDeviceIsSaidToBeLost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto device = testing::device_or_skip("cuda");
  if (device == nullptr) {
    return;
  }
  EXPECT_EXIT(lose_device(*device), ::testing::ExitedWithCode(exit_code(ErrorCode::device)),
              "device: waiting for the device, on cuda:0 .*: an illegal memory access was "
              "encountered .*; the device is lost to this process");
}

}  // namespace
}  // namespace weir::compute
