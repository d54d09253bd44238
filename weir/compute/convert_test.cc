#include "weir/compute/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "weir/core/buffer.h"

namespace weir::compute {
namespace {
constexpr std::int64_t kFrames = 5;

/// The physical values of counts -40, -39, … put at `shift` floats past a cache line.
std::vector<float> physical_at(std::int64_t channels, std::int64_t shift) {
  const Buffer counts(SampleType::int16, kFrames, channels);
  for (std::int64_t f = 0; f < kFrames; ++f) {
    for (std::int64_t c = 0; c < channels; ++c) {
      counts.as<std::int16_t>()(f, c) = static_cast<std::int16_t>(f * channels + c - 40);
    }
  }
  const auto padded = static_cast<std::size_t>(padded_channels(channels));
  std::vector<float> gain(padded, 0.195F);
  std::vector<float> offset(padded, -1.5F);
  const AlignedBytes room(static_cast<std::size_t>(kFrames * channels + shift + 16) *
                          sizeof(float));
  auto* first = reinterpret_cast<float*>(room.data()) + shift;
  std::fill(first, first + kFrames * channels + 1, 99.0F);
  to_physical(counts.as<std::int16_t>(), gain, offset,
              Block<float>(first, kFrames, channels, channels));
  EXPECT_EQ(first[kFrames * channels], 99.0F) << "past the last row";
  return {first, first + kFrames * channels};
}

TEST(Convert, WritesTheSameBitsPastTheCachesAndThroughThem) {
  for (const std::int64_t channels : {16, 32, 384}) {
    const auto whole = physical_at(channels, 0);
    const auto odd = physical_at(channels, 3);
    EXPECT_EQ(std::memcmp(whole.data(), odd.data(), whole.size() * sizeof(float)), 0) << channels;
    EXPECT_FLOAT_EQ(whole[41], 0.195F * 1 - 1.5F);
  }
  EXPECT_FLOAT_EQ(physical_at(7, 0)[12], 0.195F * -28 - 1.5F);
}

TEST(Convert, KeepsWholeNumbersOf24BitsAndCountsTheRest) {
  const std::vector<float> values{0,        -1,      0x1p23F, -0x1p24F + 1, 0x1p24F, 0.5F,
                                  -0x1p31F, 0x1p31F, 3e9F,    NAN,          2.5F};
  const auto channels = static_cast<std::int64_t>(values.size());
  const Buffer in(SampleType::float32, kFrames, channels);
  for (std::int64_t f = 0; f < kFrames; ++f) {
    std::copy(values.begin(), values.end(), in.as<float>().row(f));
  }
  std::vector<std::int32_t> out(static_cast<std::size_t>(kFrames * channels + 1), 99);
  const auto losses =
      to_int32(in.as<float>(), Block<std::int32_t>(out.data(), kFrames, channels, channels));
  EXPECT_EQ(losses.clipped, 2 * kFrames);  // 3e9 and NaN.
  EXPECT_EQ(losses.rounded, 5 * kFrames);  // 2^24, 1/2, -2^31, 2^31, 5/2.
  EXPECT_EQ(std::vector<std::int32_t>(out.end() - 12, out.end()),
            (std::vector<std::int32_t>{0, -1, 1 << 23, -(1 << 24) + 1, 1 << 24, 0, INT32_MIN,
                                       INT32_MAX, INT32_MAX, 0, 2, 99}));
}

}  // namespace
}  // namespace weir::compute
