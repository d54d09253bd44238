#include "weir/formats/kinds/wfdb/wfdb.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/kinds/wfdb/wfdb_header.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_bytes;
using testing::write_string;

std::filesystem::path ecg_folder() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  const std::filesystem::path data =
      folder != nullptr ? folder
                        : std::filesystem::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data";
  return data / "ecg";
}

bool must_have_data() {
  const char* required = std::getenv("WEIR_REQUIRE");
  return required != nullptr && std::string_view(required).find("data") != std::string_view::npos;
}

/// Two frames of two signals in format 212: 1, -1, 2047, -2048.
const std::vector<std::uint8_t> kPacked{0x01, 0xf0, 0xff, 0xff, 0x87, 0x00};

std::filesystem::path packed_record(const ScratchFolder& folder, const std::string& header) {
  write_bytes(folder / "a.dat", std::as_bytes(std::span(kPacked)));
  write_string(folder / "a.hea", header);
  return folder / "a.hea";
}

TEST(Wfdb, ReadsRecord100) {
  const auto hea = ecg_folder() / "100.hea";
  if (!std::filesystem::exists(hea)) {
    ASSERT_FALSE(must_have_data()) << hea << " is missing";
    GTEST_SKIP() << hea << " is missing";
  }
  const auto source = FormatList({&wfdb_format()}).open(hea, {});
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();  // Both checksums agree.
  EXPECT_EQ(info.total_frames(), 650000);
  EXPECT_EQ(info.rate, SampleRate::from_hz(360));
  ASSERT_EQ(info.channel_count(), 2);
  EXPECT_EQ(info.channels[0].name, "MLII");
  EXPECT_EQ(info.channels[1].name, "V5");
  EXPECT_EQ(info.channels[0].unit, "mV");
  EXPECT_DOUBLE_EQ(info.channels[0].gain, 0.005);
  EXPECT_DOUBLE_EQ(info.channels[0].offset, -5.12);
  EXPECT_EQ(info.stored, StoredType::int12);
  EXPECT_NE(info.metadata.at("comments").find("69 M 1085 1629 x1"), std::string::npos);
  EXPECT_TRUE(source->stored_as_int16());
  const auto values = read_all(*source);
  EXPECT_EQ(values[0], 995);
  EXPECT_EQ(values[1], 1011);
  testing::check_source(*source);
  EXPECT_EQ(read_all(*wfdb_format().open(ecg_folder() / "100.dat", {})), values);
}

TEST(Wfdb, UnpacksPairsOf12Bits) {
  const ScratchFolder folder;
  const auto source =
      wfdb_format().open(packed_record(folder, "a 2 100 2\na.dat 212 10(5)/uV\na.dat 212 0\n"), {});
  EXPECT_EQ(read_all(*source), (std::vector<float>{1, -1, 2047, -2048}));
  EXPECT_DOUBLE_EQ(source->info().channels[0].gain, 0.1);
  EXPECT_DOUBLE_EQ(source->info().channels[0].offset, -0.5);
  EXPECT_EQ(source->info().channels[0].unit, "uV");
  // The second signal is not calibrated, and its last sample is the mark for a missing one.
  ASSERT_EQ(source->info().warnings.size(), 2U);
  EXPECT_NE(source->info().warnings[0].find("1 samples are marked as missing (-2048)"),
            std::string::npos);
  EXPECT_NE(source->info().warnings[1].find("not calibrated"), std::string::npos);
}

TEST(Wfdb, ReadsAnOddNumberOfPackedSamples) {
  const ScratchFolder folder;
  const auto path = packed_record(folder, "a 1 100 3\na.dat 212 200\n");
  std::filesystem::resize_file(folder / "a.dat", 5);
  const auto source = wfdb_format().open(path, {});
  EXPECT_EQ(read_all(*source), (std::vector<float>{1, -1, 2047}));
  EXPECT_TRUE(source->info().warnings.empty());
  testing::check_source(*source);
}

TEST(Wfdb, ReadsSeveralFilesAndAByteOffset) {
  const ScratchFolder folder;
  packed_record(folder, "");
  const std::vector<std::int16_t> wide{999, 7, -8, 9, -10};
  write_bytes(folder / "b.dat", std::as_bytes(std::span(wide)));
  write_string(folder / "c.hea",
               "c 3 250.5 2 1:02:03.5 24/12/2026\r\na.dat 212 200\r\n\r\n# in between\r\n"
               "b.dat 16+2 200(-3)/V 16 0 7 15 0 left leg\r\nb.dat 16+2 200\r\n");
  const auto source = wfdb_format().open(folder / "c.hea", {});
  EXPECT_EQ(read_all(*source), (std::vector<float>{1, 7, -8, -1, 9, -10}));
  EXPECT_EQ(source->info().channels[1].name, "left leg");
  EXPECT_EQ(source->info().start_time, "2026-12-24T01:02:03.5");
  EXPECT_EQ(source->info().stored, StoredType::int16);
  // a.dat holds four frames; 7 + 9 is 16.
  ASSERT_EQ(source->info().warnings.size(), 2U);
  EXPECT_NE(source->info().warnings[0].find("a.dat: holds 6 bytes"), std::string::npos);
  EXPECT_NE(source->info().warnings[1].find("checksum 16, but the header says 15"),
            std::string::npos);
  testing::check_source(*source);
}

TEST(Wfdb, SaysWhenChecksumsDisagree) {
  const ScratchFolder folder;
  const auto good = packed_record(folder,
                                  "a 2 100 2\na.dat 212 200 12 0 1 2048 0 x\n"
                                  "a.dat 212 200 12 0 -1 -2049 0 y\n");
  EXPECT_EQ(wfdb_format().open(good, {})->info().warnings.size(), 1U);  // The missing sample.
  const auto bad = packed_record(folder,
                                 "a 2 100 2\na.dat 212 200 12 0 1 2049 0 x\n"
                                 "a.dat 212 200 12 0 5 -2049 0 y\n");
  const auto warnings = wfdb_format().open(bad, {})->info().warnings;
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_NE(warnings[0].find("signal x: checksum 2048, but the header says 2049"),
            std::string::npos);
  EXPECT_NE(warnings[1].find("signal y: starts with -1, but the header says 5"), std::string::npos);
}

TEST(Wfdb, OpensATruncatedFileToItsLastWholeFrame) {
  const ScratchFolder folder;
  const auto path = packed_record(folder, "a 2 100 2\na.dat 212 200\na.dat 212 200\n");
  std::filesystem::resize_file(folder / "a.dat", 5);
  const auto source = wfdb_format().open(path, {});
  EXPECT_EQ(read_all(*source), (std::vector<float>{1, -1}));
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("a.dat: truncated: holds 5 bytes, 1 frames, where the "
                                            "header promises 2"),
            std::string::npos);
}

TEST(Wfdb, NamesTheLineThatIsWrong) {
  const auto refused = [](ErrorCode code, const std::string& text, const std::string& part) {
    expect_error(code, part, [&] { parse_wfdb_header(text); });
  };
  refused(ErrorCode::unsupported, "a 1\na.dat 509 200\n", "line 2: format 509: only 8, 16");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 212x0 200\n", "format 212x0: 0 cannot be");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 212x100001 200\n", "100001 cannot be");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 212:-3 200\n", "-3 cannot be");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 212+-3 200\n", "-3 cannot be");
  refused(ErrorCode::unsupported, "a 1\n~ 0 200\n", "line 2: format 0: only");
  refused(ErrorCode::corrupt_data, "a/0 1\n", "number of segments: 0");
  refused(ErrorCode::corrupt_data, "a/9223372036854775807 1\n", "number of segments: ");
  refused(ErrorCode::corrupt_data, "a/2 1 250 30\nb 30\n", "describes 1 segments, but promises 2");
  refused(ErrorCode::corrupt_data, "a/1 1 250 30\nb -3\n", "segment b: no number of samples");
  refused(ErrorCode::unsupported, "a/1 1 250 30\n../b 3\n", "../b: segments are looked for beside");
  refused(ErrorCode::unsupported, "a 1\n.. 16\n", "beside the header only");
  refused(ErrorCode::unsupported, "a 1\n../a.dat 16\n", "beside the header only");
  refused(ErrorCode::corrupt_data, "a 0\n", "number of signals: 0");
  refused(ErrorCode::corrupt_data, "", "record line is missing");
  refused(ErrorCode::corrupt_data, "a 2\na.dat 16\n", "describes 1 signals, but promises 2");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 16 x\n", "line 2: gain");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 16 200(5\n", "lacks a parenthesis");
  refused(ErrorCode::corrupt_data, "a 1 -5\na.dat 16\n", "sampling frequency");
  refused(ErrorCode::corrupt_data, "a 1 5 -2\na.dat 16\n", "number of samples");
  refused(ErrorCode::corrupt_data, "a 1\na.dat 16\nb.dat 16\n", "line 3: more lines");
}

TEST(Wfdb, NamesAMissingSignalFile) {
  const ScratchFolder folder;
  write_string(folder / "a.hea", "a 1\nb.dat 16 200\n");
  expect_error(ErrorCode::not_found, "b.dat", [&] { wfdb_format().open(folder / "a.hea", {}); });
}

}  // namespace
}  // namespace weir::formats
