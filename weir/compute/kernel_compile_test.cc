#include <gtest/gtest.h>

#include "weir/compute/device.h"
#include "weir/compute/nvrtc.h"
#include "weir/testing/conformance.h"
#include "weir/testing/kernel_list.h"
#include "weir/testing/required.h"

namespace weir::compute {
namespace {

TEST(KernelSources, NameTheirFilesAndEveryEntry) {
  const auto kernels = testing::all_kernels();
  ASSERT_FALSE(kernels.empty());
  for (const auto* source : kernels) {
    EXPECT_TRUE(source->file.ends_with(".cl")) << source->file;
    std::size_t declared = 0;
    for (auto at = source->text.find("KERNEL void"); at != std::string_view::npos;
         at = source->text.find("KERNEL void", at + 1)) {
      ++declared;
    }
    EXPECT_EQ(source->entries.size(), declared) << source->file;
    for (const auto& entry : source->entries) {
      EXPECT_EQ(source->find(entry.name), &entry);
      EXPECT_NE(source->text.find(entry.name), std::string_view::npos) << entry.name;
    }
  }
}

TEST(KernelSources, CompileForOpencl) {
  const auto device = testing::device_or_skip("opencl");
  if (device == nullptr) {
    return;
  }
  for (const auto* source : testing::all_kernels()) {
    for (const Real real : {Real::float32, Real::float64}) {
      EXPECT_NO_THROW(device->kernel(*source, source->entries.front().name, real)) << source->file;
    }
  }
}

TEST(KernelSources, CompileForCuda) {
  const Nvrtc* nvrtc = Nvrtc::open();
  if (nvrtc == nullptr) {
    ASSERT_FALSE(testing::is_required("nvrtc")) << Nvrtc::why_not();
    GTEST_SKIP() << Nvrtc::why_not();
  }
  for (const auto* source : testing::all_kernels()) {
    for (const Real real : {Real::float32, Real::float64}) {
      const std::string ptx = nvrtc->compile(*source, real, "compute_80");
      for (const auto& entry : source->entries) {
        EXPECT_NE(ptx.find(entry.name), std::string::npos) << source->file << " " << entry.name;
      }
    }
  }
}

TEST(Nvrtc, MakesMachineCodeForDevicesItKnowsAndPtxForLaterOnes) {
  const Nvrtc* nvrtc = Nvrtc::open();
  if (nvrtc == nullptr) {
    ASSERT_FALSE(testing::is_required("nvrtc")) << Nvrtc::why_not();
    GTEST_SKIP() << Nvrtc::why_not();
  }
  EXPECT_EQ(nvrtc->architecture_for(90), "sm_90");
  EXPECT_EQ(nvrtc->architecture_for(81), "sm_80");
  EXPECT_TRUE(nvrtc->architecture_for(990).starts_with("compute_"));
  EXPECT_EQ(nvrtc->architecture_for(20), "");
  const auto* source = testing::all_kernels().front();
  EXPECT_TRUE(nvrtc->compile(*source, Real::float32, "sm_90")
                  .starts_with("\x7f"
                               "ELF"));
  EXPECT_NE(nvrtc->compile(*source, Real::float32, "compute_80").find(".target"),
            std::string::npos);
}

TEST(Nvrtc, QuotesTheLineThatDoesNotCompile) {
  const Nvrtc* nvrtc = Nvrtc::open();
  if (nvrtc == nullptr) {
    ASSERT_FALSE(testing::is_required("nvrtc")) << Nvrtc::why_not();
    GTEST_SKIP() << Nvrtc::why_not();
  }
  const KernelSource source{"weir/somewhere/wrong.cl", "\nKERNEL void wrong() { oops; }\n", {}};
  testing::expect_error(ErrorCode::device,
                        "weir/somewhere/wrong.cl:2: the device compiler refused \"KERNEL void "
                        "wrong() { oops; }\"",
                        [&] { nvrtc->compile(source, Real::float32, "compute_80"); });
}

}  // namespace
}  // namespace weir::compute
