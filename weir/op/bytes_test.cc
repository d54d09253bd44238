#include "weir/op/bytes.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir::op {
namespace {

using testing::expect_error;

ByteWriter written() {
  ByteWriter writer;
  writer.put(std::int32_t{-7});
  writer.put_all(std::vector<double>{1.5, -2.5});
  writer.put_text("taps");
  writer.put_all(std::vector<float>{});
  return writer;
}

TEST(Bytes, ReadWhatWasWrittenInOrder) {
  const ByteWriter writer = written();
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.get<std::int32_t>(), -7);
  EXPECT_EQ(reader.get_vector<double>(), (std::vector<double>{1.5, -2.5}));
  EXPECT_EQ(reader.get_text(), "taps");
  std::vector<float> none;
  reader.get_all(std::span<float>(none));
  EXPECT_TRUE(reader.at_end());
}

TEST(Bytes, EveryEarlyEndIsCorruptData) {
  const ByteWriter writer = written();
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    expect_error(ErrorCode::corrupt_data, "saved state", [&] {
      ByteReader reader(std::span(writer.bytes()).first(size));
      reader.get<std::int32_t>();
      reader.get_vector<double>();
      reader.get_text();
      reader.get_vector<float>();
    });
  }
}

TEST(Bytes, ACountThatIsNotTheShapeIsCorruptData) {
  ByteWriter writer;
  writer.put_all(std::vector<double>{1, 2, 3});
  expect_error(ErrorCode::corrupt_data, "another shape", [&] {
    ByteReader reader(writer.bytes());
    std::vector<double> two(2);
    reader.get_all(std::span<double>(two));
  });
}

TEST(Bytes, ACountBeyondTheDataAllocatesNothing) {
  ByteWriter writer;
  writer.put(std::uint64_t{1} << 62U);
  expect_error(ErrorCode::corrupt_data, "ends early", [&] {
    ByteReader reader(writer.bytes());
    reader.get_vector<double>();
  });
}

}  // namespace
}  // namespace weir::op
