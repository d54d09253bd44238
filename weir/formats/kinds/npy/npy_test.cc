#include "weir/formats/kinds/npy/npy.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/npy/npy_header.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/npy/golden" / name;
}

OpenOptions at_1000_hz(const std::string& order = "") {
  OpenOptions options;
  options.raw.set("rate_hz", 1000);
  if (!order.empty()) {
    options.raw.set("order", order);
  }
  return options;
}

const std::vector<float> kCounting{-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5};

TEST(Npy, WritesAndReadsEveryField) {
  testing::check_writer(npy_format(), ".npy");
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
  for (const char* file :
       {"i1_le", "i2_le", "i2_be", "i4_le", "i4_be", "i8_le", "i8_be", "f2_le", "f2_be", "f4_le",
        "f4_be", "f8_le", "f8_be", "version2", "version3", "fortran_be"}) {
    SCOPED_TRACE(file);
    const auto source = npy_format().open(golden(std::string(file) + ".npy"), at_1000_hz());
    EXPECT_EQ(source->info().channel_count(), 3);
    EXPECT_EQ(read_all(*source), kCounting);
    EXPECT_TRUE(source->info().warnings.empty());
    testing::check_source(*source);
  }
  std::vector<float> magnitudes = kCounting;
  for (float& value : magnitudes) {
    value = std::abs(value);
  }
  for (const char* file : {"u1_le", "u2_le", "u4_le", "u8_le"}) {
    EXPECT_EQ(read_all(*npy_format().open(golden(std::string(file) + ".npy"), at_1000_hz())),
              magnitudes);
  }
}

TEST(Npy, ReadsFortranOrderAsTheSameArray) {  // Case F15.
  const auto source = npy_format().open(golden("fortran.npy"), at_1000_hz());
  EXPECT_EQ(source->info().total_frames(), 2);
  EXPECT_EQ(source->info().order, SampleOrder::channel_major);
  EXPECT_EQ(read_all(*source), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  const auto turned = npy_format().open(golden("fortran.npy"), at_1000_hz("channel_major"));
  EXPECT_EQ(turned->info().total_frames(), 3);
  EXPECT_EQ(read_all(*turned), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(Npy, SaysWhenTheAxesLookSwapped) {
  const auto source = npy_format().open(golden("fortran.npy"), at_1000_hz());
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("(2, 3)"), std::string::npos);
}

TEST(Npy, ReadsMembersOfAnArchive) {
  const auto largest = npy_format().open(golden("two.npz"), at_1000_hz());
  EXPECT_EQ(read_all(*largest), kCounting);
  auto options = at_1000_hz();
  options.stream = "small";
  const auto small = npy_format().open(golden("two.npz"), options);
  EXPECT_EQ(read_all(*small), (std::vector<float>{0, 1, 2}));
  EXPECT_TRUE(small->info().warnings.empty());
  options.stream = "medium";
  expect_error(ErrorCode::not_found, "\"medium\"; it holds small, large",
               [&] { npy_format().open(golden("two.npz"), options); });
}

TEST(Npy, UnpacksMembersOfAnArchive) {
  for (const char* file : {"deflated.npz", "zip64.npz"}) {
    SCOPED_TRACE(file);
    const auto source = FormatList({&npy_format()}).open(golden(file), at_1000_hz());
    EXPECT_EQ(source->info().metadata.at("member"), "large.npy");
    EXPECT_EQ(source->info().total_frames(), 4);
    EXPECT_EQ(read_all(*source), kCounting);
    EXPECT_TRUE(source->info().warnings.empty());
    testing::check_source(*source);
  }
  auto options = at_1000_hz("channel_major");
  options.stream = "columns";
  const auto columns = npy_format().open(golden("zip64.npz"), options);
  EXPECT_EQ(columns->info().channel_count(), 4);
  EXPECT_EQ(columns->info().order, SampleOrder::time_major);
  EXPECT_EQ(read_all(*columns)[1], -3);
  testing::check_source(*columns);
}

/// An archive whose bytes at a place in its directory or member are others.
TEST(Npy, SaysWhatIsWrongWithAPackedMember) {
  const ScratchFolder folder;
  const std::string whole = testing::read_string(golden("deflated.npz"));
  const std::size_t entry = whole.find("PK\x01\x02");
  const auto changed = [&](std::size_t at, const std::string& bytes) {
    std::string text = whole;
    text.replace(at, bytes.size(), bytes);
    testing::write_string(folder / "a.npz", text);
    return folder / "a.npz";
  };
  const auto reads = [&](std::size_t at, const std::string& bytes, const std::string& part) {
    const auto path = changed(at, bytes);
    expect_error(ErrorCode::corrupt_data, part,
                 [&] { read_all(*npy_format().open(path, at_1000_hz())); });
  };
  reads(entry + 16, "\x01\x02\x03\x04", "a.npz: large.npy: unpacks to 152 bytes with checksum");
  reads(entry + 24, std::string("\x40\0\0\0", 4), "header: 128 bytes long, but 64 are left");
  reads(entry + 24, std::string("\x90\0\0\0", 4), "shape (4, 3) takes more than the 144 bytes");
  reads(entry + 20, std::string("\x20\0\0\0", 4), "large.npy: deflate: ");
  reads(whole.find("large.npy") + 9 + 20 + 30, "\xff\xff\xff\xff", "large.npy: ");
  const auto encrypted = changed(entry + 8, std::string("\x01\0", 2));
  expect_error(ErrorCode::unsupported, "large.npy is encrypted or packed otherwise",
               [&] { npy_format().open(encrypted, at_1000_hz()); });
  const auto other = changed(entry + 10, std::string("\x0e\0", 2));
  expect_error(ErrorCode::unsupported, "packed otherwise than by deflate",
               [&] { npy_format().open(other, at_1000_hz()); });
}

TEST(Npy, RefusesWhatIsNoRecording) {
  const auto refused = [](const std::string& file, const std::string& part) {
    expect_error(ErrorCode::unsupported, part,
                 [&] { npy_format().open(golden(file), at_1000_hz()); });
  };
  refused("complex.npy", "descr: type \"<c8\" is no real number");
  refused("record.npy", "several fields");
  refused("cube.npy", "shape (2, 2, 2)");
  expect_error(ErrorCode::invalid_spec, "raw.rate_hz: required",
               [] { npy_format().open(golden("i2_le.npy"), {}); });
  OpenOptions options = at_1000_hz();
  options.raw.set("channels", 4);
  expect_error(ErrorCode::invalid_spec, "holds 3 channels of int16",
               [&] { npy_format().open(golden("i2_le.npy"), options); });
}

TEST(Npy, OpensATruncatedArrayToItsLastWholeFrame) {
  const ScratchFolder folder;
  const auto path = folder / "a.npy";
  std::filesystem::copy_file(golden("i2_le.npy"), path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 7);
  const auto source = npy_format().open(path, at_1000_hz());
  EXPECT_EQ(read_all(*source), std::vector<float>(kCounting.begin(), kCounting.begin() + 6));
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("17 bytes"), std::string::npos);
}

TEST(Npy, ChecksTheSidecarAgainstTheArray) {
  const ScratchFolder folder;
  std::filesystem::copy_file(golden("i2_le.npy"), folder / "a.npy");
  testing::write_string(
      folder / "a.npy.json",
      R"({"weir_raw": 1, "rate": 1, "dtype": "int16", "samples": 4, "channels": [{}, {}]})");
  expect_error(ErrorCode::corrupt_data, "describes 2 channels of int16, but the array holds 3",
               [&] { npy_format().open(folder / "a.npy", {}); });
  testing::write_string(
      folder / "a.npy.json",
      R"({"weir_raw": 1, "rate": 1, "dtype": "int16", "samples": 5, "channels": [{}, {}, {}]})");
  expect_error(ErrorCode::corrupt_data, "describes 5 samples, but the array holds 4",
               [&] { npy_format().open(folder / "a.npy", {}); });
}

TEST(Npy, NamesWhatIsWrongWithAHeader) {
  const auto refused = [](const std::string& text, const std::string& part) {
    expect_error(ErrorCode::corrupt_data, part, [&] { parse_npy_dictionary(text); });
  };
  refused("", "expected '{'");
  refused("{}", "is not {'descr'");
  refused("{'descr': '<i2', 'fortran_order': Maybe, 'shape': (1,)}", "fortran_order: \"Maybe\"");
  refused("{'descr': '<i2', 'fortran_order': True, 'shape': (1x,)}", "shape");
  refused("{'descr': '<i2', 'fortran_order': True, 'shape': (99999999999999999999,)}", "shape");
  refused("{'descr': '<i2', 'fortran_order': True, 'shape': (1,)} x", "is not {'descr'");
  refused("{'descr': '<i2", "expected '''");
  refused("{'flavour': 1}", "'flavour'");
  const auto header =
      parse_npy_dictionary("{\"descr\": \"|u1\", 'fortran_order': False, 'shape': ()}\n");
  EXPECT_EQ(header.type, StoredType::uint8);
  EXPECT_TRUE(header.shape.empty());
}

}  // namespace
}  // namespace weir::formats
