#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string_view>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/formats/kinds/zarr/zarr_array.h"
#include "weir/formats/kinds/zarr/zarr_node.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/zarr/golden" / name;
}

/// What golden/make.py wrote: 103 frames of 5 channels.
std::vector<float> golden_samples() {
  std::vector<float> values;
  for (int f = 0; f < 103; ++f) {
    for (int c = 0; c < 5; ++c) {
      values.push_back(static_cast<float>((31 * f + 7 * c) % 251 - 125));
    }
  }
  return values;
}

OpenOptions at_rate(double rate_hz, const std::string& stream = {}) {
  OpenOptions options;
  options.stream = stream;
  options.raw.set("rate_hz", rate_hz);
  return options;
}

/// Every array of a store by its name, but those whose samples are others.
void read_every_array(const std::string& store, const std::set<std::string>& others) {
  const auto names = list_zarr_arrays(golden(store), 1000);
  EXPECT_GT(names.size(), 20U);
  for (const auto& name : names) {
    if (others.contains(name)) {
      continue;
    }
    SCOPED_TRACE(name);
    const auto source = zarr_format().open(golden(store), at_rate(1000, name));
    EXPECT_TRUE(source->info().warnings.empty()) << source->info().warnings.front();
    EXPECT_EQ(read_all(*source), golden_samples());
    testing::check_source(*source);
    EXPECT_EQ(read_all(*zarr_format().open(golden(store) / name, at_rate(1000))), golden_samples());
  }
}

TEST(ZarrVersions, ReadsEveryCodecOfVersion2) {  // Case G5.
  read_every_array("version2.zarr", {"sparse", "flat"});
}

TEST(ZarrVersions, ReadsEveryCodecOfVersion3) {  // Case G5.
  read_every_array("version3.zarr", {});
}

TEST(ZarrVersions, ReadsMissingChunksOfVersion2AsTheFillValue) {  // Case G3.
  const auto source = zarr_format().open(golden("version2.zarr/sparse"), at_rate(1000));
  auto expected = golden_samples();
  std::fill(expected.begin(), expected.begin() + 60 * 5, 0.0F);
  EXPECT_EQ(read_all(*source), expected);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(
      source->info().warnings[0].find("1 of 2 chunk files are missing; their samples are read "
                                      "as 0, as no fill value is defined"),
      std::string::npos);
}

TEST(ZarrVersions, ReadsOneChannelFromAnArrayOfOneAxis) {
  const auto source = zarr_format().open(golden("version2.zarr/flat"), at_rate(1000));
  EXPECT_EQ(source->info().channel_count(), 1);
  EXPECT_EQ(source->info().total_frames(), 103);
  EXPECT_EQ(read_all(*source)[102], golden_samples()[510]);
  testing::check_source(*source);
}

TEST(ZarrVersions, ReadsChannelsFirstWhereItIsToldOrNamed) {
  auto options = at_rate(1000);
  options.raw.set("order", "channel_major");
  const auto raw = zarr_format().open(golden("version2.zarr/raw"), options);
  EXPECT_EQ(raw->info().channel_count(), 103);
  EXPECT_EQ(read_all(*raw)[1], golden_samples()[5]);
  options.raw.set("order", "time_major");
  const auto turned = zarr_format().open(golden("version2.zarr/channels_first"), options);
  EXPECT_EQ(turned->info().channel_count(), 103);  // What a user says goes before names.
  EXPECT_EQ(read_all(*turned)[1], golden_samples()[5]);
}

TEST(ZarrVersions, ReadsTracesWithTheirAttributes) {
  const auto source = FormatList({&zarr_format()}).open(golden("traces.zarr"), {});
  const auto& info = source->info();
  EXPECT_EQ(info.rate, SampleRate::from_hz(30000.12));
  EXPECT_EQ(info.order, SampleOrder::channel_major);
  EXPECT_EQ(info.total_frames(), 103);
  ASSERT_EQ(info.channel_count(), 5);
  EXPECT_EQ(info.channels[3].name, "AP3");
  EXPECT_EQ(info.channels[3].gain, 0.5);
  EXPECT_EQ(info.channels[3].unit, "uV");
  EXPECT_TRUE(info.warnings.empty());
  EXPECT_EQ(read_all(*source), golden_samples());
  testing::check_source(*source);
}

TEST(ZarrVersions, TakesTheOlderNameOfAGain) {
  const ScratchFolder folder;
  std::filesystem::copy(golden("traces.zarr"), folder / "a.zarr",
                        std::filesystem::copy_options::recursive);
  const auto file = folder / "a.zarr/traces/zarr.json";
  Value document = parse_json(testing::read_string(file));
  document.set("attributes", parse_json(R"({"gain_uv": [1, 2, 3, 4, 0.195]})"));
  testing::write_string(file, to_json(document));
  const auto source = zarr_format().open(folder / "a.zarr", {});
  EXPECT_EQ(source->info().channels[4].gain, 0.195);
  EXPECT_EQ(source->info().channels[4].unit, "uV");
  document.set("attributes", parse_json(R"({"gain_uv": [1, 2]})"));
  testing::write_string(file, to_json(document));
  expect_error(ErrorCode::corrupt_data, "gain_uv: 2 entries for 5 channels",
               [&] { zarr_format().open(folder / "a.zarr", {}); });
}

TEST(ZarrVersions, NamesTheArraysOfAGroupItDoesNotKnow) {
  expect_error(ErrorCode::unsupported, "name it as stream: big_endian, blosc_blosclz_0, ",
               [&] { zarr_format().open(golden("version2.zarr"), {}); });
  expect_error(ErrorCode::not_found, "stream: no array \"other\"; it holds big_endian, ",
               [&] { zarr_format().open(golden("version2.zarr"), at_rate(1, "other")); });
  expect_error(ErrorCode::invalid_spec, "raw.rate_hz: required",
               [&] { zarr_format().open(golden("version2.zarr/raw"), {}); });
}

TEST(ZarrVersions, NeverLeavesTheStore) {
  for (const char* name :
       {"../version3.zarr/gzip", "/etc", "raw/../../traces.zarr/traces", ".", ""}) {
    SCOPED_TRACE(name);
    expect_error(name[0] == '\0' ? ErrorCode::unsupported : ErrorCode::invalid_spec,
                 name[0] == '\0' ? "name it as stream" : "is no array inside",
                 [&] { zarr_format().open(golden("version2.zarr"), at_rate(1, name)); });
  }
}

/// A copy of an array of version 2 and of one of version 3 with a field of its document replaced.
class ChangedArrays {
 public:
  ChangedArrays() {
    std::filesystem::copy(golden("version2.zarr/zstd"), folder_ / "2.zarr",
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy(golden("version3.zarr/gzip"), folder_ / "3.zarr",
                          std::filesystem::copy_options::recursive);
  }
  void refuses(int version, const std::string& key, const std::string& value, ErrorCode code,
               const std::string& part) const {
    const auto original =
        golden(version == 2 ? "version2.zarr/zstd/.zarray" : "version3.zarr/gzip/zarr.json");
    const auto path = folder_ / (version == 2 ? "2.zarr" : "3.zarr");
    Value document = parse_json(testing::read_string(original));
    document.set(key, parse_json(value));
    testing::write_string(path / original.filename(), to_json(document));
    SCOPED_TRACE(key + ": " + value);
    expect_error(code, part, [&] { zarr_format().open(path, at_rate(1)); });
  }

 private:
  ScratchFolder folder_;
};

TEST(ZarrVersions, NamesACodecItDoesNotKnow) {
  const ChangedArrays arrays;
  const auto unknown = ErrorCode::unsupported;
  arrays.refuses(2, "compressor", R"({"id": "lzma", "level": 1})", unknown, "codecs: \"lzma\"");
  arrays.refuses(2, "filters", R"([{"id": "quantize"}])", unknown, "codecs: \"quantize\"");
  arrays.refuses(2, "filters", R"([{"id": "delta", "dtype": "<i4"}])", unknown,
                 "delta: of <i4 stored as <i4 in an array of <i2");
  arrays.refuses(2, "filters", R"([{"id": "delta", "dtype": "<i2", "astype": "<i1"}])", unknown,
                 "delta: of <i2 stored as \"<i1\"");
  arrays.refuses(2, "compressor", R"({"id": "blosc", "cname": "brotli"})", unknown,
                 "blosc: compressor \"brotli\"");
  const std::string bytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
  arrays.refuses(3, "codecs", "[" + bytes + R"(, {"name": "zfp"}])", unknown, "codecs: \"zfp\"");
  arrays.refuses(3, "codecs", "[" + bytes + R"(, {"name": "numcodecs.pcodec"}])", unknown,
                 "codecs: \"pcodec\"");
  arrays.refuses(3, "codecs", R"([{"name": "gzip"}, )" + bytes + "]", ErrorCode::corrupt_data,
                 "\"bytes\" must stand once");
  arrays.refuses(3, "codecs", "[]", ErrorCode::corrupt_data, "\"bytes\" is missing");
  arrays.refuses(3, "codecs",
                 R"([{"name": "transpose", "configuration": {"order": [0, 0]}}, )" + bytes + "]",
                 ErrorCode::corrupt_data, "the order does not list each of 2 axes once");
  arrays.refuses(3, "codecs",
                 R"([{"name": "transpose", "configuration": {"order": [-1, 0]}}, )" + bytes + "]",
                 ErrorCode::corrupt_data, "transpose: axis -1");
}

TEST(ZarrVersions, RefusesNamesOfChunksThatLeadElsewhere) {
  const ChangedArrays arrays;
  arrays.refuses(2, "dimension_separator", R"("/../")", ErrorCode::corrupt_data,
                 "dimension_separator: \"/../\" is neither");
  arrays.refuses(3, "chunk_key_encoding",
                 R"({"name": "default", "configuration": {"separator": "../"}})",
                 ErrorCode::corrupt_data, "separator \"../\" is neither");
  arrays.refuses(3, "chunk_key_encoding", R"({"name": "/etc/passwd"})", ErrorCode::unsupported,
                 "chunk_key_encoding: \"/etc/passwd\" is not known");
}

TEST(ZarrVersions, RefusesSizesNoFileHas) {
  const ChangedArrays arrays;
  const auto damaged = ErrorCode::corrupt_data;
  arrays.refuses(2, "shape", "[-1, 5]", damaged, "shape: -1 cannot be");
  arrays.refuses(2, "shape", "[1, 2, 3]", damaged, "the shape has 3");
  arrays.refuses(2, "shape", "[10, 9223372036854775807]", ErrorCode::invalid_spec,
                 "shape: channels");
  arrays.refuses(2, "chunks", "[0, 5]", damaged, "chunks: 0 cannot be");
  arrays.refuses(2, "chunks", "[4611686018427387904, 4611686018427387904]", ErrorCode::unsupported,
                 "chunks of more than 1 GiB");
  arrays.refuses(2, "chunks", "[1000000, 100000]", ErrorCode::unsupported, "more than 1 GiB");
  arrays.refuses(2, "dtype", R"("<i16")", ErrorCode::unsupported, "dtype: type \"<i16\"");
  arrays.refuses(2, "dtype", R"([["a", "<i2"]])", ErrorCode::unsupported, "records of several");
  arrays.refuses(2, "dtype", R"("<U99999999999")", ErrorCode::unsupported, "more than 1 GiB");
  arrays.refuses(2, "order", R"("K")", damaged, "order: \"K\"");
  arrays.refuses(2, "fill_value", "1e300", damaged, "is no int16");
  arrays.refuses(2, "zarr_format", "3", ErrorCode::unsupported, "zarr_format: 3");
  arrays.refuses(3, "shape", "[]", ErrorCode::unsupported, "shape: 0 dimensions");
}

TEST(ZarrVersions, SaysWhichChunkIsDamaged) {
  const ScratchFolder folder;
  for (const char* name : {"version2.zarr/zlib", "version2.zarr/gzip", "version3.zarr/checked",
                           "version3.zarr/crc32c", "version2.zarr/raw"}) {
    SCOPED_TRACE(name);
    const auto path = folder / std::filesystem::path(name).filename();
    std::filesystem::copy(golden(name), path, std::filesystem::copy_options::recursive);
    const bool old = std::string_view(name).find("version2") == 0;
    const auto chunk = path / (old ? "1.0" : "c/1/0");
    std::string bytes = testing::read_string(chunk);
    testing::write_string(chunk, bytes.substr(0, bytes.size() / 2));
    expect_error(ErrorCode::corrupt_data, chunk.string() + ": chunk (1, 0): ", [&] {
      read_all(*zarr_format().open(path, at_rate(1)));
    });
    bytes[bytes.size() / 2] ^= 0x55;
    testing::write_string(chunk, bytes);
    if (std::string_view(name) != "version2.zarr/raw") {  // Which has no checksum.
      expect_error(ErrorCode::corrupt_data,
                   ": chunk (1, 0): ", [&] { read_all(*zarr_format().open(path, at_rate(1))); });
    }
  }
}

/// An image of three axes that others stored in four ways, all alike.
TEST(ZarrVersions, ReadsWhatOtherLibrariesWrote) {
  const char* given = std::getenv("WEIR_TEST_DATA");
  const auto data = given != nullptr
                        ? std::filesystem::path(given)
                        : std::filesystem::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data";
  const auto store = data / "zarr" / "zarr.zr";
  if (!std::filesystem::exists(store)) {
    const char* required = std::getenv("WEIR_REQUIRE");
    ASSERT_FALSE(required != nullptr &&
                 std::string_view(required).find("data") != std::string::npos)
        << store << " is missing";
    GTEST_SKIP() << store << " is missing";
  }
  const ZarrArray raw(store / "raw");
  ASSERT_EQ(raw.metadata().shape.size(), 3U);
  const auto bytes = static_cast<std::size_t>(raw.metadata().chunk_bytes());
  std::vector<std::byte> expected(bytes);
  std::vector<std::byte> found(bytes);
  for (const char* name : {"gzip", "zlib", "blosc"}) {
    const ZarrArray array(store / name);
    EXPECT_EQ(array.missing_files(), 0) << name;
    for (std::int64_t i = 0; i < array.files(); ++i) {
      const std::int64_t columns = array.metadata().shards(1);
      const std::int64_t planes = array.metadata().shards(2);
      const ZarrPlace place{i / (columns * planes), i / planes % columns, i % planes};
      raw.read_chunk(place, expected);
      array.read_chunk(place, found);
      ASSERT_EQ(found, expected) << name << " " << i;
    }
  }
  expect_error(ErrorCode::unsupported, "shape: 3 dimensions",
               [&] { zarr_format().open(store / "raw", at_rate(1)); });
}

/// Stores that tests/peers/zarr_peers.py made with other programs, with their samples beside.
TEST(ZarrVersions, ReadsStoresOfOtherPrograms) {
  const char* wanted = std::getenv("WEIR_PEERS_STORES");
  if (wanted == nullptr) {
    GTEST_SKIP() << "WEIR_PEERS_STORES is not set: tests/peers/zarr_peers.py sets it";
  }
  int stores = 0;
  for (const auto& entry : std::filesystem::directory_iterator(wanted)) {
    if (entry.path().extension() != ".zarr") {
      continue;
    }
    SCOPED_TRACE(entry.path().string());
    const auto values = read_all(*zarr_format().open(entry.path(), at_rate(1000)));
    const auto bytes = std::as_bytes(std::span(values));
    const std::string expected = testing::read_string(entry.path().string() + ".f32");
    EXPECT_TRUE(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) ==
                expected);
    ++stores;
  }
  EXPECT_GT(stores, 0);
}

}  // namespace
}  // namespace weir::formats
