#include "weir/formats/kinds/zarr/zarr.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/crc32c.h"
#include "weir/formats/kinds/zarr/zarr_codec.h"
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

/// The awkward recording, written with a codec.
void write_recording(const std::filesystem::path& path, SampleType type, const std::string& codec,
                     int level = 5) {
  auto output = testing::awkward_output(path, type, 5);
  output.codec = codec;
  output.level = level;
  const auto writer = zarr_format().create(output);
  for (std::int64_t s = 0; s < 3; ++s) {
    testing::append_samples(*writer, output, 50, true, s, 0, output.stream.segments[s].frames);
    writer->end_segment();
  }
  writer->commit("{}");
}

TEST(Zarr, WritesAndReadsEveryField) {  // Case G7.
  testing::check_writer(zarr_format(), ".zarr");
}

TEST(Zarr, WritesEveryCodecAlike) {
  const ScratchFolder folder;
  write_recording(folder / "first.zarr", SampleType::float32, "none");
  const auto expected = read_all(*zarr_format().open(folder / "first.zarr", {}));
  for (const char* codec : {"zstd", "blosc-zstd-bitshuffle", "blosc-zstd-shuffle",
                            "blosc-zstd-none", "blosc-lz4-bitshuffle", "blosc-lz4-none"}) {
    SCOPED_TRACE(codec);
    const auto path = folder / (std::string(codec) + ".zarr");
    write_recording(path, SampleType::float32, codec, 1);
    EXPECT_EQ(read_all(*zarr_format().open(path, {})), expected);
  }
}

TEST(Zarr, RefusesSettingsItCannotUse) {
  const auto refused = [](const std::string& part,
                          const std::function<void(RecordingOutput&)>& set) {
    auto output = testing::awkward_output("x.zarr", SampleType::int16, 5);
    set(output);
    expect_error(ErrorCode::invalid_spec, part, [&] { zarr_format().writer_bytes(output); });
  };
  refused("codec: \"gzip\"", [](auto& output) { output.codec = "gzip"; });
  refused("level: 10 is not between 0 and 9", [](auto& output) { output.level = 10; });
  refused("zarr_chunk_s: 0", [](auto& output) { output.zarr_chunk_s = 0; });
  refused("zarr_shard_s: -1", [](auto& output) { output.zarr_shard_s = -1; });
  refused("zarr_chunk_s: ", [](auto& output) { output.zarr_chunk_s = 1e6; });
}

TEST(Zarr, MakesChunksAndShardsOfTheLengthsAskedFor) {
  const ScratchFolder folder;
  write_recording(folder / "a.zarr", SampleType::int16, "zstd");
  const Value array = parse_json(testing::read_string(folder / "a.zarr/traces_seg0/zarr.json"));
  // 2 ms and 6 ms at 30000.12 Hz.
  EXPECT_EQ(to_json(array.at("chunk_grid").at("configuration").at("chunk_shape")), "[180,5]");
  EXPECT_EQ(to_json(array.at("codecs").as_array()[0].at("configuration").at("chunk_shape")),
            "[60,5]");
  EXPECT_EQ(to_json(array.at("shape")), "[401,5]");
  EXPECT_EQ(zarr_format().open(folder / "a.zarr", {})->preferred_frames(), 60);
}

TEST(Zarr, ReadsARecordingZarrPythonWrote) {
  const auto source = FormatList({&zarr_format()}).open(golden("zarr_python.zarr"), {});
  EXPECT_EQ(source->info().channels[4].name, "c4");
  EXPECT_EQ(source->info().channels[4].gain, 0.5);
  EXPECT_EQ(source->info().segments[0].start_s, Rational(1, 3));
  EXPECT_TRUE(source->info().warnings.empty());
  EXPECT_EQ(read_all(*source), golden_samples());
  testing::check_source(*source);
}

TEST(Zarr, ReadsArraysOtherProgramsWrote) {
  for (const char* name : {"split", "plain", "bits", "big_endian", "tensorstore"}) {
    SCOPED_TRACE(name);
    const auto source = zarr_format().open(golden(std::string(name) + ".zarr"), {});
    EXPECT_EQ(source->info().rate, SampleRate::from_hz(1000));
    EXPECT_EQ(read_all(*source), golden_samples());
    testing::check_source(*source);
  }
}

TEST(Zarr, ReadsMissingChunksAsTheFillValueAndSaysSo) {  // Case G3, version 3.
  const auto source = zarr_format().open(golden("sparse.zarr"), {});
  auto expected = golden_samples();
  std::fill(expected.begin(), expected.begin() + 92 * 5, -9.0F);
  EXPECT_EQ(read_all(*source), expected);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("2 of 3 chunk files are missing"), std::string::npos);
  EXPECT_NE(source->info().warnings[0].find("the fill value -9"), std::string::npos);
  testing::check_source(*source);
}

TEST(Zarr, TakesAnUndefinedFillValueAsZero) {  // Case G3.
  const ScratchFolder folder;
  std::filesystem::copy(golden("sparse.zarr"), folder / "a.zarr",
                        std::filesystem::copy_options::recursive);
  Value document = parse_json(testing::read_string(folder / "a.zarr/zarr.json"));
  document.set("fill_value", nullptr);
  testing::write_string(folder / "a.zarr/zarr.json", to_json(document));
  const auto source = zarr_format().open(folder / "a.zarr", {});
  EXPECT_EQ(read_all(*source)[0], 0);
  EXPECT_NE(source->info().warnings.at(0).find("no fill value is defined"), std::string::npos);
}

TEST(Zarr, NamesTheShardThatIsDamaged) {
  const ScratchFolder folder;
  write_recording(folder / "a.zarr", SampleType::int16, "blosc-zstd-bitshuffle");
  const auto shard = folder / "a.zarr/traces_seg0/c/1/0";
  const std::string whole = testing::read_string(shard);
  const auto refused = [&](const std::string& content, const std::string& part) {
    testing::write_string(shard, content);
    const auto source = zarr_format().open(folder / "a.zarr", {});
    expect_error(ErrorCode::corrupt_data, part, [&] { read_all(*source); });
  };
  refused(whole.substr(0, whole.size() - 1), "traces_seg0/c/1/0: index of ");
  refused(whole.substr(0, 20), "truncated: 20 bytes, but its index takes 52");
  std::string flipped = whole;
  flipped[20] = static_cast<char>(flipped[20] ^ 1);
  testing::write_string(shard, flipped);
  try {
    read_all(*zarr_format().open(folder / "a.zarr", {}));  // Blosc has no checksum of its own.
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::corrupt_data);
  }
}

TEST(Zarr, RefusesStoresItDoesNotKnow) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  const auto refused = [&](ErrorCode code, const std::string& document, const std::string& part) {
    testing::write_string(folder / "a.zarr/zarr.json", document);
    expect_error(code, part, [&] { zarr_format().open(folder / "a.zarr", {}); });
  };
  expect_error(ErrorCode::not_found, "zarr.json",
               [&] { zarr_format().open(folder / "a.zarr", {}); });
  testing::write_string(folder / "a.zarr/.zgroup", "{}");
  expect_error(ErrorCode::corrupt_data, ".zgroup: zarr_format: missing",
               [&] { zarr_format().open(folder / "a.zarr", {}); });
  refused(ErrorCode::corrupt_data, "{", "not valid JSON");
  refused(ErrorCode::unsupported, R"({"zarr_format": 4})", "zarr_format: 4 is not read");
  refused(ErrorCode::unsupported, R"({"zarr_format": 3, "node_type": "group"})",
          "without weir_recording");
  refused(ErrorCode::unsupported,
          R"({"zarr_format": 3, "node_type": "group", "attributes": {"weir_recording": 3}})",
          "weir_recording: version 3");
  Value array = parse_json(testing::read_string(golden("bits.zarr/zarr.json")));
  array.set("codecs", parse_json(R"([{"name": "bytes"}, {"name": "zfp"}])"));
  refused(ErrorCode::unsupported, to_json(array), "codecs: \"zfp\"");
  array = parse_json(testing::read_string(golden("bits.zarr/zarr.json")));
  array.set("shape", parse_json("[1, 2, 3]"));
  refused(ErrorCode::corrupt_data, to_json(array), "the shape has 3");
  array.set("shape", parse_json("[1, -2]"));
  refused(ErrorCode::corrupt_data, to_json(array), "shape: -2");
}

TEST(Zarr, ChecksTheArraysAgainstTheRecording) {
  const ScratchFolder folder;
  write_recording(folder / "a.zarr", SampleType::int16, "zstd");
  const auto file = folder / "a.zarr/traces_seg0/zarr.json";
  Value array = parse_json(testing::read_string(file));
  array.set("shape", parse_json("[400, 5]"));
  testing::write_string(file, to_json(array));
  expect_error(ErrorCode::corrupt_data,
               "holds int16 of shape (400, 5), but the recording describes",
               [&] { zarr_format().open(folder / "a.zarr", {}); });
}

TEST(Zarr, LosesNothingWhenManyWriteAtOnce) {  // Case G1: every shard has one owner.
  const ScratchFolder folder;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      write_recording(folder / (std::to_string(i) + ".zarr"), SampleType::int16, "zstd");
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  const auto first = testing::folder_content(folder / "0.zarr");
  for (int i = 1; i < 8; ++i) {
    EXPECT_EQ(testing::folder_content(folder / (std::to_string(i) + ".zarr")), first);
  }
}

TEST(Zarr, SaysWhatADiskRefusesAndLeavesNothing) {
  const ScratchFolder folder;
  auto output = testing::awkward_output(folder / "rec.zarr", SampleType::int16, 40);
  output.codec = "none";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_error(ErrorCode::io, "cannot write", [&] {
    const auto writer = zarr_format().create(output);
    testing::append_samples(*writer, output, 0, false, 0, 0, 401);
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// Stores for tests/peers/zarr_peers.py, which opens them with other programs, in the folder
/// WEIR_PEERS_FOLDER; without it they go to a scratch folder, and only our reader sees them.
TEST(Zarr, WritesStoresForOtherPrograms) {
  const char* wanted = std::getenv("WEIR_PEERS_FOLDER");
  const ScratchFolder scratch;
  const std::filesystem::path folder = wanted != nullptr ? wanted : scratch.path();
  for (const auto type : {SampleType::int16, SampleType::float32}) {
    for (const char* codec : {"none", "zstd", "blosc-zstd-bitshuffle", "blosc-lz4-shuffle"}) {
      const std::string name = std::string(weir::name(type)) + "-" + codec;
      write_recording(folder / (name + ".zarr"), type, codec);
      const auto source = zarr_format().open(folder / (name + ".zarr"), {});
      for (std::int64_t s = 0; s < 3; ++s) {
        const auto values = read_all(*source, s);
        testing::write_bytes(folder / (name + "-" + std::to_string(s) + ".f32"),
                             std::as_bytes(std::span(values)));
        EXPECT_EQ(std::ssize(values), source->info().segments[s].frames * 5);
      }
    }
  }
}

TEST(ZarrCodec, KnowsTheChecksum) {
  // RFC 3720, B.4: 32 bytes of zeros, and of ones.
  const std::vector<std::byte> zeros(32);
  const std::vector<std::byte> ones(32, std::byte{0xff});
  EXPECT_EQ(crc32c(zeros), 0x8a9136aaU);
  EXPECT_EQ(crc32c(ones), 0x62a8ab43U);
  const std::string digits = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(digits))), 0xe3069283U);
}

TEST(ZarrCodec, NeverTrustsStoredBytes) {
  constexpr std::array<std::int64_t, 1> kShape{2048};
  const ZarrChunkForm form{StoredType::int16, kShape};
  std::mt19937 random(3);
  std::vector<std::byte> samples(4096);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<std::byte>(i / 64);
  }
  for (const char* name : {"zstd", "blosc-zstd-bitshuffle", "blosc-lz4-shuffle", "none"}) {
    auto codecs = named_codecs(name, 5, 2);
    codecs.push_back({.kind = ZarrCodec::Kind::crc32c});
    const auto stored = encode(codecs, samples);
    std::vector<std::byte> back(samples.size());
    decode(codecs, stored, form, back);
    EXPECT_EQ(back, samples);
    for (int i = 0; i < 200; ++i) {
      auto broken = stored;
      broken[random() % broken.size()] ^= static_cast<std::byte>(1 + random() % 255);
      EXPECT_THROW(decode(codecs, broken, form, back), Error);
      broken.resize(random() % broken.size());
      EXPECT_THROW(decode(codecs, broken, form, back), Error);
    }
  }
}

}  // namespace
}  // namespace weir::formats
