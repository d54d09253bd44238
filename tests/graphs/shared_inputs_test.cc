// Several inputs on several devices. PoCL shows the processor as two devices to this program.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "graph_fixture.h"
#include "weir/core/error.h"
#include "weir/pipeline/plan/place_inputs.h"
#include "weir/testing/conformance.h"
#include "weir/testing/counting_device.h"
#include "weir/testing/required.h"

namespace weir::tests {
namespace {
using pipeline::share_out;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Before any driver is opened: PoCL reads it once.
const int kTwoDevices = ::setenv("POCL_DEVICES", "pthread pthread", 0);

constexpr auto kSpec = R"({"weir_pipeline":1,"nodes":[
  {"id":"raw","op":"read","path":"in*.bin","gaps":"split"},
  {"id":"ref","op":"common_reference"},
  {"id":"band","op":"iir","band":"bandpass","cutoff_hz":[300,6000]},
  {"id":"clean","op":"write","path":"out/{stem}.bin","dtype":"int16"}],
  "execution":{"threads":4}})";

TEST(ShareOut, GivesTheLargestFirstToWhoHasLeast) {
  EXPECT_THAT(share_out(std::vector<std::int64_t>{5, 4, 3, 3}, 2), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(share_out(std::vector<std::int64_t>{1, 9, 1, 1}, 2), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(share_out(std::vector<std::int64_t>{0, 0, 0}, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(share_out(std::vector<std::int64_t>{7, 7}, 1), ElementsAre(0, 0));
}

class SharedInputs : public GraphTest {
 protected:
  void SetUp() override {
    if (testing::device_or_skip("opencl:1") == nullptr) {
      return;
    }
    make_recording("in1.bin", 11, {700});
    make_recording("in2.bin", 11, {2100, 301});
    make_recording("in3.bin", 11, {1500});
    make_recording("in4.bin", 11, {0});
  }
  static std::vector<std::string> both() { return {"execution.target=opencl:*"}; }
  static std::vector<std::string> one() { return {"execution.target=opencl:0"}; }
};

TEST_F(SharedInputs, GiveTheBytesOfOneDevice) {
  std::mutex mutex;
  std::multiset<std::string> opened;
  options_.device_opener = [&](const std::string& name) {
    const std::lock_guard lock(mutex);
    opened.insert(name);
    return compute::open_device(name);
  };
  const auto alone = run(kSpec, one());
  const auto wanted = contents("out");
  remove("out");
  opened.clear();
  const auto report = run(kSpec, both());
  EXPECT_TRUE(contents("out") == wanted);
  EXPECT_EQ(report.target, "opencl:0, opencl:1");
  EXPECT_EQ(report.threads, 4);
  EXPECT_THAT(opened, ElementsAre("opencl:0", "opencl:1"));  // Once for all inputs of each.
  ASSERT_EQ(report.outputs.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {  // In the order of the inputs, whoever came first.
    EXPECT_EQ(report.outputs[i].path, alone.outputs[i].path);
  }
  EXPECT_EQ(report.bytes_read, alone.bytes_read);
  EXPECT_EQ(report.bytes_uploaded, alone.bytes_uploaded);
}

TEST_F(SharedInputs, KeepWithinTheCapTogether) {
  const auto together = plan(kSpec, [] {
    auto overrides = both();
    overrides.emplace_back("execution.memory=64 MiB");
    return overrides;
  }());
  EXPECT_EQ(together.data().shares, 2);
  EXPECT_EQ(together.data().threads, 2);
  for (const auto& input : together.data().inputs) {
    EXPECT_EQ(input.place.budget.cap(), std::size_t{32} << 20);
  }
  EXPECT_THAT(together.text(), HasSubstr("on opencl:1"));
}

TEST_F(SharedInputs, StopTogetherWhenOneFails) {
  const auto before = files();
  const auto device = compute::open_device("opencl:1");
  options_.device_opener = [&](const std::string& name) {
    return name == "opencl:1" ? testing::failing_device(*device, 10) : compute::open_device(name);
  };
  testing::expect_error(ErrorCode::device, testing::kLostDevice, [&] {
    auto overrides = both();
    overrides.emplace_back("execution.chunk_s=0.002");
    options_.batch_chunks = false;
    run(kSpec, overrides);
  });
  // Inputs of the other share that were whole before stay; nothing else.
  for (const auto& file : files()) {
    EXPECT_TRUE(std::ranges::count(before, file) > 0 || file.starts_with("out")) << file;
    EXPECT_THAT(file, ::testing::Not(HasSubstr("partial")));
  }
  EXPECT_FALSE(std::filesystem::exists(path("out/in3.bin")));
}

TEST_F(SharedInputs, AreCancelledTogetherByThisThread) {
  const auto before = files();
  const auto self = std::this_thread::get_id();
  options_.batch_chunks = false;
  testing::expect_error(ErrorCode::cancelled, "cancelled", [&] {
    auto overrides = both();
    overrides.emplace_back("execution.chunk_s=0.0002");
    run(kSpec, overrides, [&](const Progress& progress) {
      EXPECT_TRUE(std::this_thread::get_id() == self);
      EXPECT_EQ(progress.inputs, 4);
      EXPECT_LE(progress.seconds_done, progress.seconds_total);
      return false;
    });
  });
}

TEST_F(SharedInputs, GoOnFromTheirCheckpoints) {
  run(kSpec, both());
  const auto wanted = contents("out");
  remove("out");
  const auto device = compute::open_device("opencl:1");
  auto overrides = both();
  overrides.emplace_back("execution.chunk_s=0.002");
  overrides.emplace_back("execution.resume=true");
  options_.batch_chunks = false;
  options_.device_opener = [&](const std::string& name) {
    return name == "opencl:1" ? testing::failing_device(*device, 60) : compute::open_device(name);
  };
  ::setenv("WEIR_CHECKPOINT_S", "0", 1);
  testing::expect_error(ErrorCode::device, testing::kLostDevice, [&] { run(kSpec, overrides); });
  options_.device_opener = nullptr;
  EXPECT_TRUE(run(kSpec, overrides).resumed);
  ::unsetenv("WEIR_CHECKPOINT_S");
  EXPECT_TRUE(contents("out") == wanted);
}

}  // namespace
}  // namespace weir::tests
