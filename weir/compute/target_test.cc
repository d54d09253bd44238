#include "weir/compute/target.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "weir/compute/device.h"
#include "weir/testing/conformance.h"

namespace weir::compute {
namespace {

TEST(Targets, AreTheProcessorTheReferenceAndALineForEachKindOfDevice) {
  const auto targets = list_targets();
  ASSERT_GE(targets.size(), 4U);
  EXPECT_EQ(targets[0].name, "cpu");
  EXPECT_EQ(targets[1].name, "host");
  for (const auto kind : {TargetKind::opencl, TargetKind::cuda}) {
    EXPECT_TRUE(std::any_of(targets.begin(), targets.end(),
                            [kind](const Target& target) { return target.kind == kind; }));
  }
  for (const auto& target : targets) {
    EXPECT_TRUE(target.usable() || !target.why_not.empty()) << target.name;
    EXPECT_TRUE(!target.usable() || !target.device.empty()) << target.name;
    EXPECT_TRUE(!target.usable() || target.memory_bytes > 0) << target.name;
  }
}

TEST(Targets, AreFoundByKindAndByAPartOfTheDevicesName) {
  for (const auto& target : list_targets()) {
    if (target.kind != TargetKind::opencl || !target.usable()) {
      continue;
    }
    EXPECT_EQ(find_target(target.name).name, target.name);
    EXPECT_EQ(find_target("opencl:" + target.device).device, target.device);
    EXPECT_EQ(find_target("opencl").kind, TargetKind::opencl);
  }
}

TEST(Targets, NamesThoseThatAreThereWhenOneIsNot) {
  testing::expect_error(ErrorCode::not_found,
                        "no target is called \"abacus\"; this machine has: cpu, host",
                        [] { find_target("abacus"); });
  testing::expect_error(ErrorCode::not_found, "opencl:977", [] { find_target("opencl:977"); });
}

TEST(Targets, ADeviceThatCannotBeUsedIsRefusedWithItsReason) {
  for (const auto& target : list_targets()) {
    if (!target.usable()) {
      testing::expect_error(ErrorCode::device, target.why_not, [&] { open_device(target.name); });
    }
  }
}

TEST(Targets, AreNamedTogetherIfOfOneKindAndEachOnce) {
  const auto one = find_targets(" host ");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one.front().name, "host");
  EXPECT_EQ(find_targets("cpu:*").front().name, "cpu");
  testing::expect_error(ErrorCode::invalid_spec, "host is named twice",
                        [] { find_targets("host,host"); });
  testing::expect_error(ErrorCode::invalid_spec, "cpu and host are of two kinds",
                        [] { find_targets("cpu, host"); });
  testing::expect_error(ErrorCode::not_found, "no target is called \"\"",
                        [] { find_targets("host,"); });
  testing::expect_error(ErrorCode::not_found, "no target is called \"quantum\"",
                        [] { find_targets("quantum:*"); });
}

TEST(Targets, EveryDeviceOfAKindIsMeantByAStar) {
  std::vector<std::string> usable;
  for (const auto& target : list_targets()) {
    if (target.kind == TargetKind::opencl && target.usable()) {
      usable.push_back(target.name);
    }
  }
  if (usable.empty()) {
    EXPECT_THROW(find_targets("opencl:*"), Error);
    return;
  }
  std::vector<std::string> found;
  for (const auto& target : find_targets("opencl:*")) {
    found.push_back(target.name);
  }
  EXPECT_EQ(found, usable);
}

TEST(Targets, TheProcessorRunsNoDeviceKernels) {
  testing::expect_error(ErrorCode::unsupported, "cpu does not run device kernels",
                        [] { open_device("cpu"); });
}

TEST(CpuDescription, NamesTheInstructionSetAndTheBuild) {
  const std::string description = cpu_description();
  const auto at = description.find(" build ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(at, 0U);
  const std::string build = description.substr(at + 7);
  EXPECT_EQ(build.size(), 16U) << build;
  EXPECT_EQ(build.find_first_not_of("0123456789abcdef"), std::string::npos) << build;
  EXPECT_EQ(description, cpu_description());
}

}  // namespace
}  // namespace weir::compute
