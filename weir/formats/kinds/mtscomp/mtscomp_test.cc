#include "weir/formats/kinds/mtscomp/mtscomp.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/mtscomp/golden" / name;
}

/// What golden/make.py compressed: 257 frames of 5 channels.
std::vector<float> golden_samples(float scale = 1, float shift = 0) {
  std::vector<float> values;
  for (int f = 0; f < 257; ++f) {
    for (int c = 0; c < 5; ++c) {
      values.push_back(static_cast<float>((613 * f + 7001 * c) % 65536 - 32768) * scale + shift);
    }
  }
  return values;
}

TEST(Mtscomp, ReadsWhatMtscompCompressed) {
  for (const char* name : {"plain", "rows", "space", "space_rows", "undiffed", "floats"}) {
    SCOPED_TRACE(name);
    const auto source =
        FormatList({&mtscomp_format()}).open(golden(std::string(name) + ".cbin"), {});
    EXPECT_EQ(source->info().rate, SampleRate::from_hz(1000));
    EXPECT_EQ(source->info().total_frames(), 257);
    EXPECT_TRUE(source->info().warnings.empty());
    const bool floats = std::string_view(name) == "floats";
    const bool words = std::string_view(name) == "undiffed";
    EXPECT_EQ(read_all(*source), golden_samples(floats ? 0.25F : 1, words ? 32768.0F : 0));
    testing::check_source(*source);
    EXPECT_EQ(read_all(*mtscomp_format().open(golden(std::string(name) + ".ch"), {})),
              read_all(*source));
  }
}

TEST(Mtscomp, TakesGainsFromTheUser) {
  OpenOptions options;
  options.raw = parse_json(R"({"gain": 0.195, "unit": "uV", "rate_hz": 2500})");
  const auto source = mtscomp_format().open(golden("plain.cbin"), options);
  EXPECT_EQ(source->info().channels[4].gain, 0.195);
  EXPECT_EQ(source->info().channels[4].unit, "uV");
  EXPECT_EQ(source->info().rate, SampleRate::from_hz(2500));
}

void write_header(const std::filesystem::path& path, const std::string& key,
                  const std::string& value) {
  Value document = parse_json(testing::read_string(golden("plain.ch")));
  if (!key.empty()) {
    document.set(key, parse_json(value));
  }
  testing::write_string(path, to_json(document));
}

TEST(Mtscomp, IsTheSamplesOfASpikeglxHeader) {
  const ScratchFolder folder;
  std::filesystem::copy_file(golden("plain.cbin"), folder / "a_g0_t0.imec0.ap.cbin");
  write_header(folder / "a_g0_t0.imec0.ap.ch", "", "");
  testing::write_string(folder / "a_g0_t0.imec0.ap.meta",
                        "typeThis=imec\nimSampRate=30000\nimAiRangeMax=0.6\nimMaxInt=512\n"
                        "imDatPrb_type=0\nnSavedChans=5\nacqApLfSy=384,384,1\nsnsApLfSy=4,0,1\n"
                        "snsSaveChanSubset=0:3,768\nfirstSample=15000\n"
                        "~imroTbl=(0,384)(0 0 0 500 250 1)(1 0 0 500 250 1)(2 0 0 500 250 1)"
                        "(3 0 0 500 250 1)\n");
  const FormatList formats({&mtscomp_format(), &spikeglx_format()});
  for (const char* ending : {"cbin", "ch", "meta"}) {
    SCOPED_TRACE(ending);
    const auto path = folder / (std::string("a_g0_t0.imec0.ap.") + ending);
    const auto source = formats.open(path, {});
    EXPECT_EQ(source->info().format, "spikeglx");
    EXPECT_EQ(source->info().rate, SampleRate::from_hz(30000));
    EXPECT_EQ(source->info().segments[0].start_s, Rational(1, 2));
    EXPECT_DOUBLE_EQ(source->info().channels[0].gain, 2.34375);
    EXPECT_EQ(source->info().channels[4].name, "SY0");
    EXPECT_EQ(read_all(*source), golden_samples());
    testing::check_source(*source);
  }
  write_header(folder / "a_g0_t0.imec0.ap.ch", "dtype", "\"int8\"");
  expect_error(ErrorCode::corrupt_data, "holds 5 channels of int8 where the recording has 5",
               [&] { formats.open(folder / "a_g0_t0.imec0.ap.cbin", {}); });
}

TEST(Mtscomp, OpensATruncatedFileToItsLastWholeChunk) {
  const ScratchFolder folder;
  const std::string whole = testing::read_string(golden("plain.cbin"));
  write_header(folder / "a.ch", "", "");
  for (std::size_t bytes = 0; bytes <= whole.size() + 1; ++bytes) {
    testing::write_string(folder / "a.cbin", (whole + "x").substr(0, bytes));
    const auto source = mtscomp_format().open(folder / "a.cbin", {});
    const std::int64_t frames = bytes < 42 ? 0 : bytes < 84 ? 100 : bytes < 117 ? 200 : 257;
    ASSERT_EQ(source->info().total_frames(), frames) << bytes;
    ASSERT_EQ(source->info().warnings.size(), bytes == whole.size() ? 0U : 1U) << bytes;
    auto expected = golden_samples();
    expected.resize(static_cast<std::size_t>(frames * 5));
    ASSERT_EQ(read_all(*source), expected) << bytes;
  }
}

TEST(Mtscomp, NamesTheChunkThatIsDamaged) {
  const ScratchFolder folder;
  std::string bytes = testing::read_string(golden("plain.cbin"));
  bytes[60] ^= 0x10;
  testing::write_string(folder / "a.cbin", bytes);
  write_header(folder / "a.ch", "", "");
  const auto source = mtscomp_format().open(folder / "a.cbin", {});
  expect_error(ErrorCode::corrupt_data, "a.cbin: chunk 1 at 42: ", [&] { read_all(*source); });
  write_header(folder / "a.ch", "chunk_bounds", "[0, 101, 200, 257]");
  expect_error(ErrorCode::corrupt_data, "chunk 0 at 0: holds 1000 bytes of samples, not 1010",
               [&] { read_all(*mtscomp_format().open(folder / "a.cbin", {})); });
  write_header(folder / "a.ch", "chunk_bounds", "[0, 99, 200, 257]");
  expect_error(ErrorCode::corrupt_data, "chunk 0 at 0: deflate: holds more than 990 bytes",
               [&] { read_all(*mtscomp_format().open(folder / "a.cbin", {})); });
}

TEST(Mtscomp, NamesTheFieldThatIsWrong) {
  const ScratchFolder folder;
  testing::write_string(folder / "a.cbin", testing::read_string(golden("plain.cbin")));
  const auto refused = [&](const std::string& key, const std::string& value,
                           const std::string& part, ErrorCode code = ErrorCode::corrupt_data) {
    write_header(folder / "a.ch", key, value);
    SCOPED_TRACE(key + ": " + value);
    expect_error(code, part, [&] { mtscomp_format().open(folder / "a.cbin", {}); });
  };
  refused("algorithm", "\"lzma\"", "algorithm: \"lzma\" is not read; zlib is",
          ErrorCode::unsupported);
  refused("n_channels", "0", "n_channels: 0 is not between");
  refused("n_channels", "9223372036854775807", "n_channels: ");
  refused("sample_rate", "0", "sample_rate");
  refused("dtype", "\"complex64\"", "dtype: type \"complex64\"", ErrorCode::unsupported);
  refused("dtype", "\"float16\"", "dtype: differences of float16", ErrorCode::unsupported);
  refused("chunk_order", "\"K\"", "chunk_order: \"K\"");
  refused("chunk_bounds", "[0, 100, 100, 257]", "chunk_bounds: entry 2 is 100");
  refused("chunk_bounds", "[1, 100, 200, 257]", "chunk_bounds: entry 0 is 1");
  refused("chunk_bounds", "[]", "chunk_bounds: is empty");
  refused("chunk_bounds", "[0, 257]", "chunk_bounds: 2 entries, but chunk_offsets has 4");
  refused("chunk_bounds", "[0, 1, 2, 9223372036854775807]", "takes more than 1 GiB",
          ErrorCode::unsupported);
  refused("chunk_offsets", "[0, 42, 41, 117]", "chunk_offsets: entry 2 is 41");
  refused("do_time_diff", "5", "do_time_diff");
}

TEST(Mtscomp, IsFoundByItsHeader) {
  const ScratchFolder folder;
  testing::write_string(folder / "a.cbin", "");
  EXPECT_EQ(mtscomp_format().probe(folder / "a.cbin", {}), Match::no);
  testing::write_string(folder / "a.ch", "{}");
  EXPECT_EQ(mtscomp_format().probe(folder / "a.cbin", {}), Match::no);
  write_header(folder / "a.ch", "", "");
  EXPECT_EQ(mtscomp_format().probe(folder / "a.cbin", {}), Match::by_content);
  EXPECT_EQ(mtscomp_format().probe(folder / "a.ch", {}), Match::by_content);
}

}  // namespace
}  // namespace weir::formats
