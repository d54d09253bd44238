#include "weir/formats/kinds/raw/raw.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <numeric>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_bytes;
using testing::write_string;

Value described(const std::string& json) {
  return parse_json(json);
}

std::vector<std::int16_t> counting(std::int64_t count) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), std::int16_t{-7});
  return values;
}

void write_counting(const std::filesystem::path& path, std::int64_t samples, std::size_t cut = 0) {
  const auto values = counting(samples);
  const auto bytes = std::as_bytes(std::span(values));
  write_bytes(path, bytes.first(bytes.size() - cut));
}

TEST(Raw, WritesAndReadsEveryField) {
  testing::check_writer(raw_format(), ".bin");
}

TEST(Raw, IsFoundByItsSidecarWhateverItsName) {
  const ScratchFolder folder;
  const FormatList formats({&raw_format()});
  write_counting(folder / "plain.samples", 6);
  expect_error(ErrorCode::unsupported, "tried raw; a file of samples and nothing else is read as",
               [&] { formats.detect(folder / "plain.samples"); });
  write_string(folder / "plain.samples.json", R"({"weir_raw": 1})");
  EXPECT_EQ(&formats.detect(folder / "plain.samples"), &raw_format());
  // Names that files of samples have are told what is missing.
  write_counting(folder / "plain.dat", 6);
  EXPECT_EQ(&formats.detect(folder / "plain.dat"), &raw_format());
  expect_error(ErrorCode::invalid_spec, "channels",
               [&] { formats.open(folder / "plain.dat", {}); });
}

TEST(Raw, ReadsWhatTheUserDescribes) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 13);
  OpenOptions options;
  options.raw = described(R"({"channels": 2, "rate_hz": 1000.5, "dtype": "int16", "gain": -0.03,
                              "offset": 4, "unit": "uV", "header_bytes": 2})");
  const auto source = raw_format().open(folder / "a.bin", options);
  EXPECT_EQ(source->info().rate, SampleRate(Rational(2001, 2)));
  EXPECT_EQ(source->info().channels, make_channels(2, -0.03, 4, "uV"));
  EXPECT_EQ(source->info().total_frames(), 6);
  EXPECT_EQ(testing::read_all(*source)[0], -6);
  EXPECT_TRUE(source->info().warnings.empty());
  testing::check_source(*source);
}

TEST(Raw, ReadsEveryOrderAndType) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 4800);
  for (const char* order : {"time_major", "channel_major"}) {
    for (const char* type :
         {"int8", "uint8", "int16", "uint16", "int24", "int32", "uint32", "int64", "uint64"}) {
      SCOPED_TRACE(std::string(order) + " " + type);
      OpenOptions options;
      options.raw = described(R"({"channels": 40, "rate_hz": 1000})");
      options.raw.set("order", order);
      options.raw.set("dtype", type);
      testing::check_source(*raw_format().open(folder / "a.bin", options));
    }
  }
}

TEST(Raw, ReadsChannelMajorFiles) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 6);
  OpenOptions options;
  options.raw =
      described(R"({"channels": 2, "rate_hz": 1, "dtype": "int16", "order": "channel_major"})");
  EXPECT_EQ(testing::read_all(*raw_format().open(folder / "a.bin", options)),
            (std::vector<float>{-7, -4, -6, -3, -5, -2}));
}

TEST(Raw, NamesTheFieldThatIsWrong) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 12);
  const auto refused = [&](const std::string& json, const std::string& part) {
    OpenOptions options;
    options.raw = described(json);
    expect_error(ErrorCode::invalid_spec, part,
                 [&] { raw_format().open(folder / "a.bin", options); });
  };
  refused(R"({"chanels": 2})", "raw.chanels: no such field; did you mean channels?");
  refused(R"({"channels": 0})", "raw.channels: 0 is not between 1");
  refused(R"({"channels": 2, "dtype": "int16"})", "raw.rate_hz: required");
  refused(R"({"channels": 2, "rate_hz": 1})", "raw.dtype: required");
  refused(R"({"channels": 2, "rate_hz": 0, "dtype": "int16"})", "raw.rate_hz");
  refused(R"({"channels": 2, "rate_hz": 1, "dtype": "int17"})", "raw.dtype: \"int17\"");
  refused(R"({"channels": 2, "rate_hz": 1, "dtype": "int16", "header_bytes": -1})",
          "raw.header_bytes: -1");
  refused("[1]", "raw: expected");
  expect_error(ErrorCode::invalid_spec, "a.bin.json",
               [&] { raw_format().open(folder / "a.bin", {}); });
  expect_error(ErrorCode::not_found, "b.bin", [&] { raw_format().open(folder / "b.bin", {}); });
}

/// A recording of 401 + 0 + 133 frames of 3 int16 channels.
std::filesystem::path written(const ScratchFolder& folder) {
  const auto output = testing::awkward_output(folder / "rec.bin", SampleType::int16, 3);
  const auto writer = raw_format().create(output);
  for (std::int64_t s = 0; s < 3; ++s) {
    testing::append_samples(*writer, output, 0, false, s, 0, output.stream.segments[s].frames);
    writer->end_segment();
  }
  writer->commit("{}");
  return output.path;
}

TEST(Raw, OpensATruncatedFileToItsLastWholeFrame) {
  const ScratchFolder folder;
  const auto path = written(folder);
  const auto whole = testing::read_all(*raw_format().open(path, {}), 2);
  std::filesystem::resize_file(path, 3001);  // 500 frames and one odd byte.
  const auto source = raw_format().open(path, {});
  ASSERT_EQ(source->info().warnings.size(), 1U);
  const std::string& warning = source->info().warnings[0];
  EXPECT_NE(warning.find(path.string()), std::string::npos);
  EXPECT_NE(warning.find("3,001 bytes"), std::string::npos) << warning;
  EXPECT_NE(warning.find("534 frames need 3,204"), std::string::npos) << warning;
  EXPECT_EQ(source->info().total_frames(), 500);
  EXPECT_EQ(source->info().segments[2].frames, 99);
  const auto part = testing::read_all(*source, 2);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin()));
  testing::check_source(*source);
}

TEST(Raw, IgnoresTrailingBytesAndSaysSo) {
  const ScratchFolder folder;
  const auto path = written(folder);
  std::filesystem::resize_file(path, 3204 + 385);
  const auto source = raw_format().open(path, {});
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("last 385"), std::string::npos);
  EXPECT_EQ(source->info().total_frames(), 534);
}

TEST(Raw, OpensAnEmptyFile) {
  const ScratchFolder folder;
  const auto path = written(folder);
  std::filesystem::resize_file(path, 0);
  const auto source = raw_format().open(path, {});
  EXPECT_EQ(source->info().total_frames(), 0);
  EXPECT_EQ(source->info().warnings.size(), 1U);
}

TEST(Raw, KeepsTheStrideOfATruncatedChannelMajorFile) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 20, 5);  // 2 channels of 10; the last lacks 3 samples.
  write_string(folder / "a.bin.json",
               R"({"weir_raw": 1, "rate": 1, "dtype": "int16", "samples": 10,
                   "order": "channel_major", "channels": [{}, {}]})");
  const auto source = raw_format().open(folder / "a.bin", {});
  EXPECT_EQ(source->info().total_frames(), 7);
  const auto values = testing::read_all(*source);
  EXPECT_EQ(values[1], 3);  // Channel 1 starts at sample 10.
  testing::check_source(*source);
}

TEST(Raw, RefusesADamagedSidecar) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 20);
  write_string(folder / "a.bin.json", "{\"weir_raw\": 1,\n}");
  expect_error(ErrorCode::corrupt_data, "a.bin.json: not valid JSON at line 2",
               [&] { raw_format().open(folder / "a.bin", {}); });
  write_string(folder / "a.bin.json",
               R"({"weir_raw": 1, "rate": 1, "dtype": "int12", "samples": 1, "channels": [{}]})");
  expect_error(ErrorCode::unsupported, "a.bin.json: dtype: int12",
               [&] { raw_format().open(folder / "a.bin", {}); });
}

TEST(Raw, ReadsTheOtherSystemsSidecar) {
  const ScratchFolder folder;
  write_counting(folder / "a.bin", 7);
  write_string(folder / "a.meta", R"({"channels": 2, "sample_rate_hz": 250, "format": "int16",
                                      "gain_uv": 0.5, "header_bytes": 2})");
  EXPECT_EQ(raw_format().probe(folder / "a.bin", {}), Match::certain);
  const auto source = raw_format().open(folder / "a.bin", {});
  EXPECT_EQ(source->info().channels, make_channels(2, 0.5, 0, "uV"));
  EXPECT_EQ(source->info().order, SampleOrder::channel_major);
  EXPECT_EQ(testing::read_all(*source), (std::vector<float>{-6, -3, -5, -2, -4, -1}));
  write_string(folder / "a.meta", R"({"channels": 2, "sample_rate_hz": "fast"})");
  expect_error(ErrorCode::corrupt_data, "a.meta: sample_rate_hz",
               [&] { raw_format().open(folder / "a.bin", {}); });
}

TEST(Raw, SaysWhatADiskRefusesAndLeavesNothing) {
  const ScratchFolder folder;
  const auto output = testing::awkward_output(folder / "rec.bin", SampleType::int16, 40);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_error(ErrorCode::io, "rec.bin: cannot write: ", [&] {
    const auto writer = raw_format().create(output);
    testing::append_samples(*writer, output, 0, false, 0, 0, 401);
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(testing::folder_content(folder.path()).empty());
}

}  // namespace
}  // namespace weir::formats
