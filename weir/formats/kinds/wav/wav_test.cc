#include "weir/formats/kinds/wav/wav.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/raw/raw.h"
#include "weir/formats/kinds/wav/wav_header.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_string;

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> (8 * i) & 255U);
  }
  return text;
}

std::string chunk(const std::string& name, const std::string& content) {
  return name + little(content.size(), 4) + content + (content.size() % 2 == 1 ? "x" : "");
}

/// The fields of a chunk "fmt ".
struct Fields {
  unsigned format = 1;
  unsigned channels = 1;
  unsigned rate_hz = 8000;
  unsigned frame_bytes = 3;
  unsigned bits = 24;

  std::string chunk() const {
    return formats::chunk("fmt ", little(format, 2) + little(channels, 2) + little(rate_hz, 4) +
                                      little(1, 4) + little(frame_bytes, 2) + little(bits, 2));
  }
};

std::unique_ptr<RecordingSource> open_chunks(const ScratchFolder& folder, const std::string& chunks,
                                             const std::string& riff = "RIFF") {
  write_string(folder / "a.wav", riff + little(chunks.size() + 4, 4) + "WAVE" + chunks);
  return wav_format().open(folder / "a.wav", {});
}

TEST(Wav, WritesAndReadsEveryField) {
  testing::check_writer(wav_format(), ".wav");
}

TEST(Wav, IsNotTakenForARawFileBesideItsSidecar) {
  const ScratchFolder folder;
  const auto output = testing::awkward_output(folder / "rec.wav", SampleType::int16, 3);
  const auto writer = wav_format().create(output);
  writer->commit("{}");
  const FormatList formats({&raw_format(), &wav_format()});
  EXPECT_EQ(&formats.detect(output.path), &wav_format());
}

TEST(Wav, ReadsWhatLibsndfileWrote) {
  const auto folder = std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/wav/golden";
  const Value cases = parse_json(testing::read_string(folder / "soundfile.json"));
  EXPECT_EQ(cases.as_object().size(), 9U);
  for (const auto& [name, expected] : cases.as_object()) {
    SCOPED_TRACE(name);
    const auto source = FormatList({&wav_format()}).open(folder / name, {});
    const auto& info = source->info();
    EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
    EXPECT_EQ(info.rate, SampleRate::from_hz(44100));
    const auto samples = read_all(*source);
    ASSERT_EQ(samples.size(), expected.as_array().size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      // Counts are float32, which holds 24 bits.
      const Channel& channel = info.channels[i % 3];
      ASSERT_NEAR(samples[i] * channel.gain + channel.offset, expected.as_array()[i].as_number(),
                  0x1p-24)
          << i;
    }
    testing::check_source(*source);
  }
}

TEST(Wav, ReadsTriplesAsSignedCounts) {  // Case F10.
  const ScratchFolder folder;
  const auto source = open_chunks(
      folder, Fields{}.chunk() + chunk("data", std::string("\xff\xff\x7f\x00\x00\x80", 6)));
  EXPECT_EQ(read_all(*source), (std::vector<float>{8388607, -8388608}));
  EXPECT_EQ(source->info().channels[0].gain, 1.0 / 8388608);
}

TEST(Wav, SeeksFarIntoALargeFile) {  // Case F12: 5 GB of 24 bits, sparse.
  const ScratchFolder folder;
  const std::uint64_t bytes = 4'999'999'998ULL;
  const std::string head = std::string("RF64\xff\xff\xff\xffWAVE") +
                           chunk("ds64", little(bytes + 100, 8) + little(bytes, 8) +
                                             little(bytes / 3, 8) + little(0, 4)) +
                           Fields{}.chunk() + "data\xff\xff\xff\xff";
  write_string(folder / "a.wav", head);
  std::error_code failure;
  std::filesystem::resize_file(folder / "a.wav", head.size() + bytes, failure);
  if (failure) {
    GTEST_SKIP() << "no sparse file of 5 GB: " << failure.message();
  }
  const auto source = wav_format().open(folder / "a.wav", {});
  EXPECT_TRUE(source->info().warnings.empty());
  const auto frames = static_cast<std::int64_t>(bytes / 3);
  ASSERT_EQ(source->info().total_frames(), frames);
  float last = 1;
  const std::int64_t channel = 0;
  source->read(0, frames - 1, std::span(&channel, 1), {&last, 1, 1, 1});
  EXPECT_EQ(last, 0);
}

TEST(Wav, WritesSizesOf64BitsWhereTheyAreNeeded) {
  const auto small = make_wav_header(StoredType::int16, 2, 30000, 1000);
  const auto large = make_wav_header(StoredType::int16, 2, 30000, std::int64_t{2} << 30);
  EXPECT_EQ(small.size(), large.size());
  const std::string_view text(reinterpret_cast<const char*>(large.data()), large.size());
  EXPECT_TRUE(text.starts_with(std::string("RF64\xff\xff\xff\xffWAVEds64")));
  EXPECT_EQ(text.substr(28, 8), little(std::uint64_t{8} << 30, 8));
  EXPECT_TRUE(text.ends_with("data\xff\xff\xff\xff"));
  EXPECT_EQ(std::memcmp(small.data(), "RIFF", 4), 0);
  expect_error(ErrorCode::invalid_spec, "1 to 16383 channels, not 20000",
               [] { make_wav_header(StoredType::int16, 20000, 1, 0); });
}

TEST(Wav, SkipsOtherChunksAndIgnoresWhatFollows) {
  const ScratchFolder folder;
  const auto source =
      open_chunks(folder, chunk("LIST", "odd") + Fields{.frame_bytes = 2, .bits = 16}.chunk() +
                              chunk("data", "abcd") + chunk("LIST", "more"));
  EXPECT_EQ(source->info().total_frames(), 2);
  EXPECT_TRUE(source->info().warnings.empty());
}

TEST(Wav, SaysWhenLengthsAreWrong) {
  const ScratchFolder folder;
  const auto warning = [&](std::uint64_t size, const std::string& data) {
    const auto source = open_chunks(folder, Fields{}.chunk() + "data" + little(size, 4) + data);
    testing::check_source(*source);
    EXPECT_EQ(source->info().total_frames(), 2);
    return source->info().warnings.at(0);
  };
  EXPECT_NE(warning(0xffffffff, "abcdef").find("never written; read to the end of the file, 6"),
            std::string::npos);
  EXPECT_NE(warning(0, "abcdef").find("never written"), std::string::npos);
  EXPECT_NE(
      warning(30, "abcdef").find("truncated: holds 6 bytes of samples where 10 frames need 30"),
      std::string::npos);
  EXPECT_NE(warning(7, "abcdefg").find("take 7 bytes, no whole number of frames of 3"),
            std::string::npos);
}

TEST(Wav, NamesWhatIsWrong) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& chunks, const std::string& part,
                           ErrorCode code = ErrorCode::corrupt_data) {
    expect_error(code, part, [&] { open_chunks(folder, chunks); });
  };
  const std::string data = chunk("data", "abcdef");
  refused("", "has no chunk \"data\"");
  refused(data, "\"data\" stands in front of \"fmt \"");
  refused(chunk("fmt ", "short") + data, "has 5 bytes, at least 16");
  refused(Fields{.channels = 0}.chunk() + data, "says 0 channels");
  refused(Fields{.rate_hz = 0}.chunk() + data, "0 Hz");
  refused(Fields{.channels = 2}.chunk() + data, "3 bytes a frame");
  refused(Fields{.bits = 25}.chunk() + data, "25 bits");
  refused(Fields{.format = 7, .frame_bytes = 1, .bits = 8}.chunk() + data, "format 7 with 1 bytes",
          ErrorCode::unsupported);
  refused(Fields{.format = 3}.chunk() + data, "format 3 with 3 bytes", ErrorCode::unsupported);
  refused(Fields{.format = 0xfffe}.chunk() + data, "none of the known", ErrorCode::unsupported);
  expect_error(ErrorCode::corrupt_data, "RIFF, RF64 or BW64",
               [&] { open_chunks(folder, data, "RIFX"); });
  write_string(folder / "a.wav", "RIFF");
  expect_error(ErrorCode::corrupt_data, "a.wav", [&] { wav_format().open(folder / "a.wav", {}); });
  open_chunks(folder, Fields{}.chunk() + data);
  write_string(folder / "a.wav.json",
               R"({"weir_raw": 1, "channels": [{"name": "a"}, {"name": "b"}], "rate": [1, 1],
                   "dtype": "int24", "order": "time_major", "samples": 2,
                   "segments": [{"start_s": 0, "samples": 2}]})");
  expect_error(ErrorCode::corrupt_data, "describes 2 frames of 2 channels of int24, but the file",
               [&] { wav_format().open(folder / "a.wav", {}); });
}

}  // namespace
}  // namespace weir::formats
