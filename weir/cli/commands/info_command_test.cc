#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <optional>

#include "weir/cli/captured_terminal_internal.h"
#include "weir/cli/program.h"
#include "weir/testing/format_conformance.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;
using testing::ScratchFolder;
using testing::write_string;

constexpr std::int64_t kTerabyte = 1'000'000'000'000;
/// What answering may take of a file of any size.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;

/// Bytes this process has read by system calls; empty where the kernel does not tell.
std::optional<std::int64_t> bytes_read() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  std::int64_t value = 0;
  return counters >> name >> value && name == "rchar:" ? std::optional(value) : std::nullopt;
}

/// A file of `head`, nothing, and `tail`, `bytes` long; false where the file system has no room for
/// a hole of that size.
[[nodiscard]] bool write_sparse(const fs::path& path, const std::string& head, std::int64_t bytes,
                                const std::string& tail = {}) {
  write_string(path, head);
  std::error_code failure;
  fs::resize_file(path, static_cast<std::uintmax_t>(bytes - std::ssize(tail)), failure);
  std::ofstream(path, std::ios::app | std::ios::binary) << tail;
  return !failure;
}

std::string little(std::uint64_t value, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::memcpy(text.data(), &value, bytes);
  return text;
}

std::string npy_head(const std::string& type, const std::string& shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  text.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n";
}

/// Runs `weir info` on a recording whose samples would take a terabyte.
void check_info(const fs::path& path, const std::string& part,
                const std::vector<std::string>& flags = {}, std::int64_t most = kMostBytes) {
  const auto before = bytes_read();
  CapturedTerminal terminal;
  std::vector<std::string> words{"info", path.string()};
  words.insert(words.end(), flags.begin(), flags.end());
  EXPECT_EQ(run_program(words, terminal), 0) << terminal.notes;
  const auto after = bytes_read();
  EXPECT_NE(terminal.output.find(part), std::string::npos) << terminal.output << terminal.notes;
  if (!before || !after) {
    GTEST_SKIP() << "/proc/self/io does not tell the bytes read";
  }
  EXPECT_LT(*after - *before, most) << path;
}

#define WEIR_NEEDS_SPARSE(...)                                       \
  if (!(__VA_ARGS__)) {                                              \
    GTEST_SKIP() << "no sparse file of a terabyte can be made here"; \
  }

TEST(InfoOfATerabyte, OfRawSamplesReadsNone) {
  const ScratchFolder folder;
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.dat", "", kTerabyte));
  check_info(folder / "a.dat", "5,000,000,000 frames",
             {"--raw", "channels=100", "--raw", "rate_hz=30000", "--raw", "dtype=int16"});
}

TEST(InfoOfATerabyte, OfSpikeglxReadsTheHeaderAndLeavesEdgesUncounted) {
  const ScratchFolder folder;
  write_string(folder / "a_g0_t0.imec0.ap.meta",
               "typeThis=imec\nimSampRate=30000\nimAiRangeMax=0.6\nimMaxInt=512\n"
               "imDatPrb_type=0\nnSavedChans=2\nacqApLfSy=384,384,1\nsnsApLfSy=1,0,1\n"
               "snsSaveChanSubset=0,768\n~imroTbl=(0,384)(0 0 0 500 250 1)\n");
  const auto path = folder / "a_g0_t0.imec0.ap.bin";
  WEIR_NEEDS_SPARSE(write_sparse(path, "", kTerabyte));
  check_info(path, "250,000,000,000 frames");
  check_info(path, "ttl   unknown without reading all");
  check_info(path, "\"count\": null", {"--json"});
}

TEST(InfoOfATerabyte, OfOpenEphysReadsTheEndsOfItsCounters) {
  const ScratchFolder folder;
  const std::int64_t frames = kTerabyte / 256;
  const fs::path stream = folder / "continuous" / "A-100.A";
  fs::create_directories(stream);
  std::string channels;
  for (int i = 0; i < 128; ++i) {
    channels += fmt::format(
        "{}{{\"channel_name\": \"CH{}\", \"bit_volts\": 0.195, \"units\": "
        "\"uV\"}}",
        i == 0 ? "" : ", ", i);
  }
  write_string(folder / "structure.oebin",
               fmt::format("{{\"GUI version\": \"0.6.7\", \"continuous\": [{{\"folder_name\": "
                           "\"A-100.A/\", \"sample_rate\": 30000, \"stream_name\": \"A\", "
                           "\"num_channels\": 128, \"channels\": [{}]}}]}}",
                           channels));
  WEIR_NEEDS_SPARSE(write_sparse(stream / "continuous.dat", "", kTerabyte) &&
                    write_sparse(stream / "sample_numbers.npy",
                                 npy_head("<i8", fmt::format("{},", frames)), 128 + 8 * frames,
                                 little(static_cast<std::uint64_t>(frames - 1), 8)));
  check_info(folder.path(), "3,906,250,000 frames, 1 segment");
}

/// A header of 64 signals of 80 samples a record.
std::string edf_head(const std::string& version, int sample_bytes) {
  std::string text;
  const auto put = [&](const std::string& field, std::size_t width, int times = 1) {
    for (int i = 0; i < times; ++i) {
      text += fmt::format("{:<{}}", field, width);
    }
  };
  const std::string most = sample_bytes == 2 ? "32767" : "8388607";
  put(version, 8);
  put("", 160);
  put("01.01.2601.01.0116640", 24);
  put(sample_bytes == 2 ? "" : "24BIT", 44);
  put("97000000", 8);
  put("0.1", 8);
  put("64", 4);
  put("x", 16, 64);
  put("", 80, 64);
  put("uV", 8, 64);
  put("-100", 8, 64);
  put("100", 8, 64);
  put("-" + most, 8, 64);
  put(most, 8, 64);
  put("", 80, 64);
  put("80", 8, 64);
  put("", 32, 64);
  return text;
}

TEST(InfoOfATerabyte, OfEdfAndBdfReadsTheHeader) {
  const ScratchFolder folder;
  const std::int64_t samples = std::int64_t{97'000'000} * 64 * 80;
  const std::string edf = edf_head("0", 2);
  const std::string bdf = edf_head(
      "\xff"
      "BIOSEMI",
      3);
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.edf", edf, std::ssize(edf) + 2 * samples) &&
                    write_sparse(folder / "a.bdf", bdf, std::ssize(bdf) + 3 * samples));
  check_info(folder / "a.edf", "7,760,000,000 frames");
  check_info(folder / "a.bdf", "7,760,000,000 frames");
}

/// Records that tell their own times, of which two are looked at where none is late.
TEST(InfoOfATerabyte, OfEdfWithGapsReadsFewRecords) {
  const ScratchFolder folder;
  std::string head = edf_head("0", 2);
  const std::string label = "EDF Annotations ";
  head.replace(192, 5, "EDF+D");
  head.replace(256, label.size(), label);
  constexpr std::int64_t kRecords = 97'000'000;
  const std::int64_t record = std::int64_t{2} * 64 * 80;
  std::string last(static_cast<std::size_t>(record), '\0');
  const std::string onset = "+9699999.9\x14\x14";
  last.replace(0, onset.size(), onset);
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.edf", head + "+0\x14\x14",
                                 std::ssize(head) + kRecords * record, last));
  check_info(folder / "a.edf", "7,760,000,000 frames, 1 segment");
  check_info(folder / "a.edf", "annotations  unknown without reading all");
}

TEST(InfoOfATerabyte, OfBrainvisionReadsTheHeader) {
  const ScratchFolder folder;
  write_string(
      folder / "a.vhdr",
      "BrainVision Data Exchange Header File Version 1.0\n[Common Infos]\nDataFile=a.eeg\n"
      "DataOrientation=VECTORIZED\nNumberOfChannels=2\nSamplingInterval=1000\n"
      "[Binary Infos]\nBinaryFormat=INT_16\n[Channel Infos]\nCh1=A,,0.5,uV\nCh2=B,,1,uV\n");
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.eeg", "", kTerabyte));
  check_info(folder / "a.vhdr", "250,000,000,000 frames");
}

TEST(InfoOfATerabyte, OfWfdbReadsTheHeader) {
  const ScratchFolder folder;
  write_string(folder / "a.hea",
               "a 2 500\na.dat 16 200 16 0 0 0 0 I\na.dat 16 200 16 0 0 0 0 II\n");
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.dat", "", kTerabyte));
  check_info(folder / "a.hea", "250,000,000,000 frames");
}

TEST(InfoOfATerabyte, OfIntanReadsTheHeader) {
  const ScratchFolder folder;
  fs::copy_file(fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/intan/golden/signals/info.rhd",
                folder / "info.rhd");
  WEIR_NEEDS_SPARSE(write_sparse(folder / "amplifier.dat", "", kTerabyte));
  check_info(folder.path(), "frames, 1 segment)");
}

TEST(InfoOfATerabyte, OfASpikeInterfaceFolderReadsItsDocument) {
  const ScratchFolder folder;
  write_string(folder / "binary.json",
               R"({"class": "spikeinterface.core.binaryrecordingextractor.BinaryRecordingExtractor",
                   "relative_paths": true, "kwargs": {"file_paths": ["a.raw"],
                   "sampling_frequency": 30000.0, "num_channels": 2, "dtype": "<i2",
                   "time_axis": 0}})");
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.raw", "", kTerabyte));
  check_info(folder.path(), "250,000,000,000 frames");
}

TEST(InfoOfATerabyte, OfAnArrayReadsItsHeader) {
  const ScratchFolder folder;
  WEIR_NEEDS_SPARSE(
      write_sparse(folder / "a.npy", npy_head("<i2", "250000000000, 2"), kTerabyte + 128));
  check_info(folder / "a.npy", "250,000,000,000 frames", {"--raw", "rate_hz=1000"});
}

TEST(InfoOfATerabyte, OfWavReadsItsChunks) {
  const ScratchFolder folder;
  const std::string head = "RF64\xff\xff\xff\xffWAVEds64" + little(28, 4) +
                           little(kTerabyte + 100, 8) + little(kTerabyte, 8) +
                           little(kTerabyte / 4, 8) + little(0, 4) + "fmt " + little(16, 4) +
                           little(1, 2) + little(2, 2) + little(48000, 4) + little(192000, 4) +
                           little(4, 2) + little(16, 2) + "data\xff\xff\xff\xff";
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.wav", head, std::ssize(head) + kTerabyte));
  check_info(folder / "a.wav", "250,000,000,000 frames");
}

/// A header that lists 40,000 chunks is larger than the others; it is read by the probe, too.
TEST(InfoOfATerabyte, OfMtscompReadsItsHeader) {
  const ScratchFolder folder;
  constexpr std::int64_t kChunks = 40'000;
  std::string bounds = "0";
  std::string offsets = "0";
  for (std::int64_t i = 1; i <= kChunks; ++i) {
    bounds += fmt::format(",{}", 30000 * i);
    offsets += fmt::format(",{}", kTerabyte / kChunks * i);
  }
  write_string(folder / "a.ch",
               fmt::format("{{\"algorithm\": \"zlib\", \"chunk_bounds\": [{}], \"chunk_offsets\": "
                           "[{}], \"chunk_order\": \"F\", \"comp_level\": -1, "
                           "\"do_spatial_diff\": false, \"do_time_diff\": true, \"dtype\": "
                           "\"int16\", \"n_channels\": 500, \"sample_rate\": 30000.0, \"shape\": "
                           "[{}, 500], \"version\": \"1.0\"}}",
                           bounds, offsets, 30000 * kChunks));
  WEIR_NEEDS_SPARSE(write_sparse(folder / "a.cbin", "", kTerabyte));
  check_info(folder / "a.cbin", "1,200,000,000 frames", {},
             kMostBytes + 2 * static_cast<std::int64_t>(fs::file_size(folder / "a.ch")));
}

/// Chunks that are not there are the fill value.
TEST(InfoOfATerabyte, OfZarrReadsItsDocuments) {
  const ScratchFolder folder;
  write_string(folder / "zarr.json",
               R"({"zarr_format": 3, "node_type": "array", "shape": [2500000000, 200],
                   "data_type": "int16", "fill_value": 0, "attributes": {},
                   "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [30000, 200]}},
                   "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
                   "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})");
  check_info(folder.path(), "2,500,000,000 frames", {"--raw", "rate_hz=30000"});
}

TEST(InfoOfATerabyte, OfNwbReadsWhatDescribesTheSeries) {
  check_info(fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/nwb/golden/far.nwb",
             "1,099,511,627,776 frames");
}

TEST(InfoCommand, ShowsTheColumnsOfATreeAndWhatCannotBeRead) {
  const std::string file =
      std::string(WEIR_SOURCE_DIR) + "/weir/formats/kinds/root/golden/odd.root";
  CapturedTerminal terminal;
  ASSERT_EQ(run_program({"info", file}, terminal), 0) << terminal.notes;
  EXPECT_NE(terminal.output.find("table inside/deep/tree: 3 rows, 2 columns"), std::string::npos)
      << terminal.output;
  EXPECT_NE(terminal.output.find("y       float64"), std::string::npos) << terminal.output;
  EXPECT_NE(terminal.output.find("not read: a jagged array, nx numbers a row"), std::string::npos);
}
}  // namespace
}  // namespace weir::cli
