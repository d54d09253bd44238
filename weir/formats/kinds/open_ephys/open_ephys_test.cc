#include "weir/formats/kinds/open_ephys/open_ephys.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/open_ephys/open_ephys_clock.h"
#include "weir/formats/kinds/open_ephys/open_ephys_settings.h"
#include "weir/formats/kinds/open_ephys/open_ephys_structure.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_bytes;
using testing::write_string;

/// A .npy of int64 or float64, whose header may promise another number of values.
template <class T>
std::string npy_of(const std::vector<T>& values, std::int64_t promised) {
  const char* type = std::is_same_v<T, double> ? "<f8" : "<i8";
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, promised);
  text.resize(117, ' ');
  std::string bytes = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n";
  bytes.append(reinterpret_cast<const char*>(values.data()), 8 * values.size());
  return bytes;
}

std::vector<std::int64_t> numbers_from(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

constexpr const char* kTwoStreams = R"({"GUI version": "0.6.7", "continuous": [
  {"folder_name": "Probe-100.A/", "sample_rate": 1000.0, "stream_name": "A", "num_channels": 3,
   "source_processor_name": "Rhythm", "channels": [
     {"channel_name": "CH1", "bit_volts": 0.195, "units": "uV"},
     {"channel_name": "ADC1", "bit_volts": 0.0001525, "units": "V"},
     {"channel_name": "CH2", "bit_volts": -0.195, "units": "uV"}]},
  {"folder_name": "Slow-101.B/", "sample_rate": 10, "stream_name": "B", "num_channels": 1,
   "channels": [{"channel_name": "CH1", "bit_volts": 1}]}]})";

/// A session with one recording of two streams; `frames` of the first.
struct Session {
  ScratchFolder folder;
  fs::path node = folder / "session" / "Record Node 101";
  fs::path recording = node / "experiment1" / "recording1";
  fs::path stream = recording / "continuous" / "Probe-100.A";

  explicit Session(std::int64_t frames, const char* structure = kTwoStreams) {
    fs::create_directories(stream);
    fs::create_directories(recording / "continuous" / "Slow-101.B");
    write_string(recording / "structure.oebin", structure);
    std::vector<std::int16_t> samples(static_cast<std::size_t>(3 * frames));
    std::iota(samples.begin(), samples.end(), std::int16_t{0});
    write_bytes(stream / "continuous.dat", std::as_bytes(std::span(samples)));
    write_string(recording / "continuous" / "Slow-101.B" / "continuous.dat", "abcdef");
    number(numbers_from(0, frames));
  }
  void number(const std::vector<std::int64_t>& numbers, std::int64_t promised = -1) const {
    write_string(stream / "sample_numbers.npy",
                 npy_of(numbers, promised < 0 ? std::ssize(numbers) : promised));
  }
  std::unique_ptr<RecordingSource> open(const std::string& name = "") const {
    OpenOptions options;
    options.stream = name;
    return open_ephys_format().open(folder / "session", options);
  }
};

TEST(OpenEphys, AcceptsAnyFolderLevel) {  // Case E7.
  const Session session(500);
  const FormatList formats({&open_ephys_format()});
  const auto expected = read_all(*session.open());
  for (const fs::path& path :
       {session.folder / "session", session.node, session.node / "",
        session.recording.parent_path(), session.recording, session.recording / "continuous",
        session.stream, session.recording / "structure.oebin", session.stream / "continuous.dat"}) {
    SCOPED_TRACE(path);
    const auto source = formats.open(path, {});
    EXPECT_EQ(source->info().metadata.at("stream"), "Probe-100.A");
    EXPECT_EQ(read_all(*source), expected);
  }
  const auto slow = formats.open(session.recording / "continuous" / "Slow-101.B", {});
  EXPECT_EQ(slow->info().metadata.at("stream"), "Slow-101.B");
  EXPECT_EQ(open_ephys_format().probe(session.recording / "continuous" / "none", {}), Match::no);
  write_string(session.folder / "continuous.dat", "ab");
  EXPECT_EQ(open_ephys_format().probe(session.folder / "continuous.dat", {}), Match::no);
  expect_error(ErrorCode::unsupported, "no structure.oebin",
               [&] { open_ephys_format().open(session.folder / "continuous.dat", {}); });
}

TEST(OpenEphys, ListsTheRecordingsWhenThereAreSeveral) {
  const Session session(5);
  fs::copy(session.recording, session.node / "experiment1" / "recording2",
           fs::copy_options::recursive);
  EXPECT_EQ(open_ephys_format().probe(session.node, {}), Match::certain);
  expect_error(ErrorCode::invalid_spec,
               "holds 2 recordings, experiment1/recording1, experiment1/recording2; give one",
               [&] { open_ephys_format().open(session.node, {}); });
}

TEST(OpenEphys, ReadsChannelsWithTheirOwnUnits) {  // Cases E1 (no events), E9.
  const Session session(500);
  const auto source = session.open();
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  ASSERT_EQ(info.channel_count(), 3);
  EXPECT_EQ(info.channels[1].name, "ADC1");
  EXPECT_EQ(info.channels[1].unit, "V");
  EXPECT_EQ(info.channels[1].gain, 0.0001525);
  EXPECT_EQ(info.channels[2].gain, -0.195);  // Case C9: signs are kept.
  EXPECT_EQ(info.rate, SampleRate::from_hz(1000));
  EXPECT_EQ(info.metadata.at("streams"),
            "Probe-100.A (3 channels, 1000 Hz), Slow-101.B (1 channels, 10 Hz)");
  EXPECT_EQ(read_all(*source)[4], 4);
  testing::check_source(*source);
  for (const char* name : {"B", "Slow-101.B", "Record Node 101#Slow-101.B"}) {
    EXPECT_EQ(session.open(name)->info().total_frames(), 3);
  }
  expect_error(ErrorCode::not_found, "stream: no \"C\"; it holds Probe-100.A",
               [&] { session.open("C"); });
}

TEST(OpenEphys, TakesTheFilesLengthWhenNumbersAreFewer) {  // Case E3.
  const Session session(10000);
  session.number(numbers_from(0, 5904));
  const auto source = session.open();
  EXPECT_EQ(source->info().total_frames(), 10000);
  ASSERT_EQ(source->info().segments.size(), 1U);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(
      source->info().warnings[0].find("5,904 sample numbers for 10,000 frames; the last 4,096 "
                                      "are timed as if they followed"),
      std::string::npos);
  session.number(numbers_from(7, 20000));
  const auto more = session.open();
  EXPECT_EQ(more->info().total_frames(), 10000);
  EXPECT_EQ(more->info().segments[0].start_s, Rational(7, 1000));
  EXPECT_NE(more->info().warnings.at(0).find("the rest are ignored"), std::string::npos);
}

TEST(OpenEphys, SplitsWhereCountersJump) {  // Case E4.
  const Session session(1500);
  auto numbers = numbers_from(0, 1000);
  const auto later = numbers_from(1500, 500);
  numbers.insert(numbers.end(), later.begin(), later.end());
  session.number(numbers);
  const auto source = session.open();
  const auto& segments = source->info().segments;
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].frames, 1000);  // The gap is behind index 999 and lasts 500 samples.
  EXPECT_EQ(segments[1].frames, 500);
  EXPECT_EQ(segments[1].start_s, Rational(3, 2));
  EXPECT_TRUE(source->info().warnings.empty());
  testing::check_source(*source);
}

TEST(OpenEphys, FindsEveryGapOfALongRecording) {
  const Session session(100000);
  std::vector<std::int64_t> numbers;
  const std::vector<std::int64_t> starts{0, 1, 4095, 4096, 30000, 30001, 99999};
  for (std::int64_t i = 0; i < 100000; ++i) {
    const bool jumps = std::find(starts.begin(), starts.end(), i) != starts.end();
    numbers.push_back(i == 0 ? 100 : numbers.back() + (jumps ? 10 : 1));
  }
  session.number(numbers);
  const auto source = session.open();
  const auto& segments = source->info().segments;
  ASSERT_EQ(segments.size(), starts.size());
  std::int64_t at = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(at, starts[i]);
    EXPECT_EQ(segments[i].start_s, Rational(numbers[static_cast<std::size_t>(at)], 1000));
    at += segments[i].frames;
  }
  for (std::size_t i = 50000; i < numbers.size(); ++i) {
    numbers[i] -= 70000;
  }
  session.number(numbers);
  const auto back = session.open();
  EXPECT_NE(back->info().warnings.at(0).find("stay or go back at 1 places"), std::string::npos);
}

TEST(OpenEphys, DecidesByTypeWhatTimestampsMean) {  // Case E6.
  const Session session(100);
  fs::remove(session.stream / "sample_numbers.npy");
  write_string(session.stream / "timestamps.npy", npy_of(numbers_from(250, 100), 100));
  EXPECT_EQ(session.open()->info().segments[0].start_s, Rational(1, 4));  // 0.5: samples.
  write_string(session.stream / "timestamps.npy", npy_of(std::vector<double>(100, 5.5), 100));
  const auto seconds = session.open();  // 0.6: seconds, which tell no gaps.
  EXPECT_NE(seconds->info().warnings.at(0).find("no sample numbers"), std::string::npos);
  session.number(numbers_from(500, 100));
  EXPECT_EQ(session.open()->info().segments[0].start_s, Rational(1, 2));
}

TEST(OpenEphys, ReadsBehindAStaleHeader) {
  const Session session(100);
  session.number(numbers_from(0, 100), 0);
  const auto source = session.open();
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("its header says 0 numbers, the file holds 100"),
            std::string::npos);
  session.number({}, 9223372036854775807);
  EXPECT_EQ(session.open()->info().total_frames(), 100);
  write_string(session.stream / "sample_numbers.npy", "\x93NUMPY");
  expect_error(ErrorCode::corrupt_data, "sample_numbers.npy", [&] { session.open(); });
}

TEST(OpenEphys, TellsTrailingBytes) {
  const Session session(10);
  write_string(session.stream / "continuous.dat", std::string(65, 'a'));
  const auto source = session.open();
  EXPECT_EQ(source->info().total_frames(), 10);
  EXPECT_NE(
      source->info().warnings.at(0).find("holds 65 bytes, 10 frames of 6 B; the 5 B trailing"),
      std::string::npos);
}

TEST(OpenEphys, KnowsUnitsThatOldVersionsDidNotWrite) {  // Case C7 for auxiliary inputs.
  const auto structure = read_open_ephys_structure(parse_json(
      R"({"continuous": [{"folder_name": "a", "sample_rate": 1, "channels": [
        {"channel_name": "CH1", "bit_volts": 0.195}, {"channel_name": "ADC1", "bit_volts": 0.5},
        {"channel_name": "AUX1", "bit_volts": 0.195}, {"channel_name": "A_SYNC", "bit_volts": 3}]}]})"));
  const auto& channels = structure.streams.at(0).channels;
  EXPECT_EQ(channels[0].unit, "uV");
  EXPECT_EQ(channels[1].unit, "V");
  EXPECT_DOUBLE_EQ(1000 * channels[2].gain * 1e-6, 0.0374);
  EXPECT_EQ(channels[3].unit, "");
  EXPECT_EQ(channels[3].gain, 1);
  ASSERT_EQ(structure.streams[0].warnings.size(), 1U);
  EXPECT_TRUE(read_open_ephys_structure(parse_json("{}")).streams.empty());
}

TEST(OpenEphys, NamesTheFieldThatIsWrong) {
  const auto refused = [](const std::string& entry, const std::string& part) {
    const Session session(1, ("{\"continuous\": [" + entry + "]}").c_str());
    expect_error(ErrorCode::corrupt_data, part, [&] { session.open(); });
  };
  const std::string channel = R"("channels": [{"bit_volts": 1}])";
  refused(R"({"folder_name": "../../etc", "sample_rate": 1, )" + channel + "}",
          "continuous 0: folder_name: \"../../etc\" is no folder inside");
  refused(R"({"folder_name": "/etc", "sample_rate": 1, )" + channel + "}", "\"/etc\" is no folder");
  refused(R"({"folder_name": "", "sample_rate": 1, )" + channel + "}", "folder_name: \"\"");
  refused(R"({"sample_rate": 1, )" + channel + "}", "folder_name");
  refused(R"({"folder_name": "a", "sample_rate": 0, )" + channel + "}", "sample_rate");
  refused(R"({"folder_name": "a", "sample_rate": "x", )" + channel + "}", "sample_rate");
  refused(R"({"folder_name": "a", "sample_rate": 1, "channels": []})",
          "channels: 0 is not between");
  refused(R"({"folder_name": "a", "sample_rate": 1, "num_channels": 2, )" + channel + "}",
          "num_channels: 2, but 1 channels are described");
  refused(R"({"folder_name": "a", "sample_rate": 1, "channels": [{"bit_volts": 0}]})",
          "channel 0: bit_volts: 0 is no gain");
  refused("5", "structure.oebin: continuous 0");
  const Session session(1, "{");
  expect_error(ErrorCode::corrupt_data, "structure.oebin", [&] { session.open(); });
  const Session empty(1, R"({"continuous": []})");
  expect_error(ErrorCode::not_found, "no samples: of the streams", [&] { empty.open(); });
}

constexpr const char* kSettings = R"(<?xml version="1.0"?>
<SETTINGS><INFO><VERSION>0.6.4</VERSION></INFO><SIGNALCHAIN>
<PROCESSOR name="Neuropix-PXI"><STREAM name="ProbeA-AP"/><STREAM name="ProbeA-LFP"/>
<STREAM name="ProbeB-AP"/>
<NP_PROBE probe_part_number="NP1010"><CHANNELS CH0="0:0" CH1="0:1"/>
<ELECTRODE_XPOS CH0="27" CH1="59"/><ELECTRODE_YPOS CH0="0" CH1="20"/></NP_PROBE>
<NP_PROBE probe_part_number="NP2014"><CHANNELS CH0="1"/><ELECTRODE_XPOS CH0="5"/>
<ELECTRODE_YPOS CH0="7"/></NP_PROBE></PROCESSOR></SIGNALCHAIN></SETTINGS>)";

TEST(OpenEphys, PlacesElectrodesBySettings) {
  auto channels = make_channels(3, 1, 0, "uV");
  channels[0].name = "CH1";
  channels[1].name = "CH0";
  channels[2].name = "CH7";
  std::string part;
  std::vector<std::string> warnings;
  const std::string settings = kSettings;
  EXPECT_TRUE(place_open_ephys_electrodes(settings, "ProbeA-LFP", channels, part, warnings));
  EXPECT_EQ(part, "NP1010");
  EXPECT_EQ(channels[0].position, (std::array<double, 3>{59, 20, 0}));
  EXPECT_EQ(channels[0].group, "1");
  EXPECT_EQ(channels[0].source_index, 1);
  EXPECT_FALSE(channels[2].position);
  EXPECT_TRUE(place_open_ephys_electrodes(settings, "ProbeB-AP", channels, part, warnings));
  EXPECT_EQ(channels[1].position, (std::array<double, 3>{5, 7, 0}));
  EXPECT_EQ(channels[1].group, "0");
  EXPECT_TRUE(warnings.empty());
  // What is not told beyond doubt is not used, and said.
  EXPECT_FALSE(place_open_ephys_electrodes(settings, "other", channels, part, warnings));
  EXPECT_NE(warnings.at(0).find("2 probes, and none is called"), std::string::npos);
  const std::string mapped = settings + "<PROCESSOR name=\"Channel Map\">";
  EXPECT_FALSE(place_open_ephys_electrodes(mapped, "ProbeA-AP", channels, part, warnings));
  EXPECT_FALSE(place_open_ephys_electrodes("<NP_PROBE>", "ProbeA-AP", channels, part, warnings));
  EXPECT_NE(warnings.at(2).find("before 0.6"), std::string::npos);
  EXPECT_FALSE(place_open_ephys_electrodes("<<<a b=\"", "a", channels, part, warnings));
  EXPECT_EQ(warnings.size(), 3U);
}

}  // namespace
}  // namespace weir::formats
