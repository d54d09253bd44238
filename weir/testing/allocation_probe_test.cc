#include "weir/testing/allocation_probe.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "weir/core/buffer.h"

namespace weir::testing {
namespace {

TEST(AllocationProbe, CountsVectorsAndAlignedBuffersAndForgetsTheFreed) {
  const AllocationProbe probe;
  {
    const std::vector<double> numbers(1000);
    const AlignedBytes bytes(6400);
    EXPECT_EQ(probe.live(), 8000U + 6400U);
  }
  EXPECT_EQ(probe.live(), 0U);
  EXPECT_EQ(probe.peak(), 8000U + 6400U);
  EXPECT_EQ(probe.allocations(), 2U);
}

TEST(AllocationProbe, FillsWhatNobodyWrote) {
  const AllocationProbe probe(0x5A);
  const auto bytes = std::make_unique_for_overwrite<unsigned char[]>(100);
  const volatile unsigned char* seen = bytes.get();
  EXPECT_EQ(seen[0], 0x5A);
  EXPECT_EQ(seen[99], 0x5A);
}

TEST(AllocationProbe, IgnoresBlocksFromBefore) {
  auto before = std::make_unique<char[]>(5000);
  const AllocationProbe probe;
  before.reset();
  EXPECT_EQ(probe.live(), 0U);
}

}  // namespace
}  // namespace weir::testing
