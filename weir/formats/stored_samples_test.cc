#include "weir/formats/stored_samples.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {

template <class Number>
std::vector<float> unpack(StoredType type, const std::vector<Number>& stored) {
  std::vector<float> out(stored.size());
  const std::vector<std::int64_t> channels{0};
  const auto frames = static_cast<std::int64_t>(stored.size());
  unpack_rows<float>(type, reinterpret_cast<const std::byte*>(stored.data()), 1, channels,
                     {out.data(), frames, 1, 1});
  return out;
}

TEST(StoredSamples, ReadsEveryType) {
  EXPECT_EQ(unpack<std::int8_t>(StoredType::int8, {-128, 127}), (std::vector<float>{-128, 127}));
  EXPECT_EQ(unpack<std::uint8_t>(StoredType::uint8, {0, 255}), (std::vector<float>{0, 255}));
  EXPECT_EQ(unpack<std::int16_t>(StoredType::int16, {-32768, 5}), (std::vector<float>{-32768, 5}));
  EXPECT_EQ(unpack<std::uint16_t>(StoredType::uint16, {65535}), (std::vector<float>{65535}));
  EXPECT_EQ(unpack<std::int32_t>(StoredType::int32, {-70000}), (std::vector<float>{-70000}));
  EXPECT_EQ(unpack<std::uint32_t>(StoredType::uint32, {4294967295U}),
            (std::vector<float>{4294967296.0F}));
  EXPECT_EQ(unpack<std::int64_t>(StoredType::int64, {-5}), (std::vector<float>{-5}));
  EXPECT_EQ(unpack<std::uint64_t>(StoredType::uint64, {5}), (std::vector<float>{5}));
  EXPECT_EQ(unpack<float>(StoredType::float32, {0.1F}), (std::vector<float>{0.1F}));
  EXPECT_EQ(unpack<double>(StoredType::float64, {0.1}), (std::vector<float>{0.1F}));
}

TEST(StoredSamples, Reads24Bits) {
  const std::array<std::uint8_t, 9> bytes{0xff, 0xff, 0x7f, 0x00, 0x00, 0x80, 0xff, 0xff, 0xff};
  std::vector<float> out(3);
  const std::vector<std::int64_t> channels{0};
  unpack_rows<float>(StoredType::int24, reinterpret_cast<const std::byte*>(bytes.data()), 1,
                     channels, {out.data(), 3, 1, 1});
  EXPECT_EQ(out, (std::vector<float>{8388607, -8388608, -1}));
}

TEST(StoredSamples, ReadsHalfPrecision) {
  // IEEE 754 binary16: 1, -2, 65504, smallest subnormal, smallest normal, -inf.
  const auto out =
      unpack<std::uint16_t>(StoredType::float16, {0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0xfc00});
  EXPECT_EQ(out, (std::vector<float>{1, -2, 65504, 0x1p-24F, 0x1p-14F, -INFINITY}));
  EXPECT_TRUE(std::isnan(unpack<std::uint16_t>(StoredType::float16, {0x7e00})[0]));
}

TEST(StoredSamples, PicksColumnsInAnyOrder) {
  const std::vector<std::int16_t> stored{1, 2, 3, 4, 5, 6};
  std::vector<std::int16_t> out(8, -1);
  const std::vector<std::int64_t> channels{2, 0};
  unpack_rows<std::int16_t>(StoredType::int16, reinterpret_cast<const std::byte*>(stored.data()), 3,
                            channels, {out.data(), 2, 2, 4});
  EXPECT_EQ(out, (std::vector<std::int16_t>{3, 1, -1, -1, 6, 4, -1, -1}));
}

TEST(StoredSamples, SwapsByteOrder) {
  std::array<std::uint8_t, 8> bytes{1, 2, 3, 4, 5, 6, 7, 8};
  swap_byte_order(std::as_writable_bytes(std::span(bytes)), 4);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 8>{4, 3, 2, 1, 8, 7, 6, 5}));
}

TEST(StoredSamples, SaysWhichTypesAreInt16) {
  EXPECT_TRUE(fits_int16(StoredType::int8));
  EXPECT_TRUE(fits_int16(StoredType::uint8));
  EXPECT_TRUE(fits_int16(StoredType::int12));
  EXPECT_FALSE(fits_int16(StoredType::uint16));
  EXPECT_FALSE(fits_int16(StoredType::int24));
  EXPECT_EQ(stored_bytes(StoredType::int24), 3);
  testing::expect_error(ErrorCode::unsupported, "int12", [] { stored_bytes(StoredType::int12); });
}

}  // namespace
}  // namespace weir::formats
