#include "weir/core/buffer.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

TEST(Buffer, PadsRowsToWholeVectorsAndStartsZeroed) {
  for (const std::int64_t channels : {1, 31, 32, 33, 384}) {
    const Buffer buffer(SampleType::float32, 5, channels);
    const Block<float> rows = buffer.as<float>();
    EXPECT_EQ(rows.stride() % kLanePadding, 0);
    EXPECT_GE(rows.stride(), channels);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.data()) % 64, 0U);
    EXPECT_EQ(buffer.bytes(), Buffer::bytes_for(SampleType::float32, 5, channels));
    for (std::int64_t frame = 0; frame < 5; ++frame) {
      for (std::int64_t lane = 0; lane < rows.stride(); ++lane) {
        ASSERT_EQ(rows.row(frame)[lane], 0.0F);
      }
    }
  }
}

TEST(Buffer, RowsOfAPowerOfTwoDoNotShareACacheSet) {
  const Buffer buffer(SampleType::float32, 2, 1024);
  EXPECT_NE(buffer.block().stride() * 4 % 4096, 0);
}

TEST(Buffer, SlicesAndColumnsAreViewsOfTheSameSamples) {
  const Buffer buffer(SampleType::int16, 10, 70);
  const Block<std::int16_t> rows = buffer.as<std::int16_t>();
  rows(7, 40) = 9;
  const AnyBlock part = buffer.block().slice(5, 4).columns(32, 38);
  EXPECT_EQ(part.frames(), 4);
  EXPECT_EQ(part.channels(), 38);
  EXPECT_EQ(part.as<std::int16_t>()(2, 8), 9);
  EXPECT_EQ(rows.slice(7, 1).columns(40, 1)(0, 0), 9);
  EXPECT_EQ(buffer.first(3).frames(), 3);
}

TEST(Buffer, NothingIsFine) {
  const Buffer empty(SampleType::float64, 0, 3);
  EXPECT_EQ(empty.frames(), 0);
  EXPECT_EQ(empty.bytes(), Buffer::bytes_for(SampleType::float64, 0, 3));
}

TEST(AlignedBytes, SayHowManyBytesTheSystemRefused) {
  constexpr std::size_t kTooMany = std::size_t{1} << 60U;
  testing::expect_error(ErrorCode::out_of_memory, "1152921504606846976 bytes",
                        [] { AlignedBytes bytes(kTooMany); });
}

}  // namespace
}  // namespace weir
