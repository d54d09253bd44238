#include "weir/formats/kinds/brainvision/brainvision.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_string;

fs::path test_data() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  return folder != nullptr ? fs::path(folder)
                           : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data";
}

/// Two channels in six int16 samples; `changes` replace texts of the header.
using Changes = std::vector<std::pair<std::string, std::string>>;
std::string header(const Changes& changes = {}) {
  std::string text =
      "BrainVision Data Exchange Header File Version 1.0\r\n[Common Infos]\r\nDataFile=a.eeg\r\n"
      "MarkerFile=a.vmrk\r\nDataFormat=BINARY\r\nDataOrientation=MULTIPLEXED\r\n"
      "NumberOfChannels=2\r\nSamplingInterval=488.28125\r\n[Binary "
      "Infos]\r\nBinaryFormat=INT_16\r\n"
      "[Channel Infos]\r\nCh1=F\\1p,,0.5,\xb5V\r\nCh2=T,,,C\r\n[Comment]\r\nCh1=no=\r\n";
  for (const auto& [from, to] : changes) {
    text.replace(text.find(from), from.size(), to);
  }
  return text;
}

std::unique_ptr<RecordingSource> open_triplet(
    const ScratchFolder& folder, const Changes& changes, const std::string& markers,
    const std::string& data = std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12)) {
  write_string(folder / "a.vhdr", header(changes));
  write_string(folder / "a.vmrk", "BrainVision Marker\n[Marker Infos]\n" + markers);
  write_string(folder / "a.eeg", data);
  return FormatList({&brainvision_format()}).open(folder / "a.vhdr", {});
}

TEST(Brainvision, ReadsUnitsAndBothOrientations) {
  const ScratchFolder folder;
  const auto source = open_triplet(folder, {}, "Mk1=New Segment,,1,1,0,20131113161403794232\n");
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  EXPECT_EQ(info.rate, SampleRate::from_hz(2048));
  EXPECT_EQ(info.channels[0].name, "F,p");
  EXPECT_EQ(info.channels[0].unit, "uV");
  EXPECT_EQ(info.channels[0].gain, 0.5);
  EXPECT_EQ(info.channels[1].unit, "C");
  EXPECT_EQ(info.channels[1].gain, 1);
  EXPECT_EQ(info.start_time, "2013-11-13T16:14:03.794232");
  EXPECT_EQ(read_all(*source), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  testing::check_source(*source);
  const auto vectors = open_triplet(folder, {{"MULTIPLEXED", "VECTORIZED"}}, "");
  EXPECT_EQ(read_all(*vectors), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(read_all(*brainvision_format().open(folder / "a.eeg", {})), read_all(*vectors));
  const auto floats = open_triplet(folder, {{"INT_16", "IEEE_FLOAT_32"}}, "",
                                   std::string("\0\0\x80\x3f\0\0\0\xc0", 8));
  EXPECT_EQ(read_all(*floats), (std::vector<float>{1, -2}));
}

TEST(Brainvision, StartsSegmentsAtTheirMarkers) {
  const ScratchFolder folder;
  const auto source = open_triplet(folder, {},
                                   "Mk1=New Segment,,1,1,0,20131113161403794232\n"
                                   "Mk2=Stimulus,S1,2,1,0\nMk10=New Segment,,3,1,0,"
                                   "20131113161405794232\nMk11=New Segment,,9,1,0\n");
  const auto& segments = source->info().segments;
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].frames, 2);
  EXPECT_EQ(segments[1].frames, 1);
  EXPECT_EQ(segments[1].start_s, Rational(2));
  EXPECT_EQ(read_all(*source, 1), (std::vector<float>{5, 6}));
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("1 segments start behind the last of 3"),
            std::string::npos);
  testing::check_source(*source);
  const auto undated = open_triplet(folder, {}, "Mk1=New Segment,,1\nMk2=New Segment,,2\n");
  EXPECT_EQ(undated->info().segments[1].start_s, Rational(1, 2048));
  EXPECT_NE(undated->info().warnings.at(0).find("1 segments have no date"), std::string::npos);
}

TEST(Brainvision, ReadsFilesThatWereRenamedTogether) {
  const ScratchFolder folder;
  const auto source = open_triplet(folder, {{"=a.eeg", "=C:\\x\\old.eeg"}, {"=a.vmrk", "=$b.vmrk"}},
                                   "Mk1=New Segment,,2,1,0\n");
  EXPECT_EQ(source->info().segments.size(), 2U);
  EXPECT_NE(source->info().warnings.at(0).find("its file old.eeg is missing"), std::string::npos);
  fs::remove(folder / "a.vmrk");
  const auto without = brainvision_format().open(folder / "a.vhdr", {});
  EXPECT_NE(without->info().warnings.at(1).find("breaks in time cannot be seen"),
            std::string::npos);
  fs::remove(folder / "a.eeg");
  expect_error(ErrorCode::not_found, "old.eeg",
               [&] { brainvision_format().open(folder / "a.vhdr", {}); });
}

TEST(Brainvision, TellsSizesThatDoNotFit) {
  const ScratchFolder folder;
  const auto source =
      open_triplet(folder, {{"NumberOf", "DataPoints=9\r\nNumberOf"}}, "", "abcdefghi");
  EXPECT_EQ(source->info().total_frames(), 2);
  EXPECT_NE(source->info().warnings.at(0).find("holds 9 bytes, 2 frames of 4 B, where DataPoints "
                                               "says 9"),
            std::string::npos);
}

TEST(Brainvision, NamesTheKeyThatIsWrong) {
  const ScratchFolder folder;
  const auto refused = [&](const Changes& changes, const std::string& part,
                           ErrorCode code = ErrorCode::corrupt_data,
                           const std::string& markers = "") {
    expect_error(code, part, [&] { open_triplet(folder, changes, markers); });
  };
  refused({{"DataFile", "Nothing"}}, "[common infos] datafile: missing");
  refused({{"Channels=2", "Channels=0"}}, "numberofchannels: 0 is not between");
  refused({{"Channels=2", "Channels=9223372036854775807"}}, "numberofchannels");
  refused({{"Channels=2", "Channels=3"}}, "[channel infos] ch3: missing");
  refused({{"488.28125", "0"}}, "samplinginterval: 0 us");
  refused({{"488.28125", "1e-300"}}, "samplinginterval");
  refused({{"MULTIPLEXED", "SIDEWAYS"}}, "dataorientation: sideways");
  refused({{"INT_16", "INT_12"}}, "binaryformat: INT_12", ErrorCode::unsupported);
  refused({{"=BINARY", "=ASCII"}}, "dataformat ASCII", ErrorCode::unsupported);
  refused({{"0.5", "0"}}, "ch1: 0 is no resolution");
  refused({{"0.5", "x"}}, "ch1: \"x\"");
  refused({}, "a.vmrk: mk1: position 0", ErrorCode::corrupt_data, "Mk1=New Segment,,0\n");
  refused({}, "a.vmrk: mk1", ErrorCode::corrupt_data, "Mk1=New Segment,,x\n");
  write_string(folder / "b.vhdr", "no header");
  EXPECT_EQ(brainvision_format().probe(folder / "b.vhdr", {}), Match::no);
}

TEST(Brainvision, AgreesWithMneOnARealFile) {
  const fs::path path = test_data() / "brainvision/test.vhdr";
  if (!fs::exists(path)) {
    ASSERT_FALSE(testing::is_required("data")) << path << " is missing";
    GTEST_SKIP() << path << " is missing";
  }
  const Value expected =
      parse_json(testing::read_string(test_data() / "expected.json")).at("brainvision/test.vhdr");
  const auto source = brainvision_format().open(path, {});
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  EXPECT_EQ(info.channel_count(), expected.at("channels").as_integer());
  EXPECT_EQ(info.rate.hz(), expected.at("rate_hz").as_number());
  ASSERT_EQ(info.total_frames(), expected.at("samples").as_integer());
  EXPECT_EQ(info.channels[27].unit, "\u00b5S");
  const auto samples = read_all(*source);
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = c; i < samples.size(); i += 32) {
      const double volts = samples[i] * info.channels[c].gain * 1e-6;
      sum += volts;
      squares += volts * volts;
    }
    const auto near = [&](double got, const char* key) {
      const double wanted = expected.at(key).as_array()[c].as_number();
      EXPECT_NEAR(got, wanted, 1e-6 * std::abs(wanted)) << key << " of channel " << c;
    };
    near(samples[c] * info.channels[c].gain * 1e-6, "first");
    near(sum / 7900, "mean");
    near(std::sqrt(squares / 7900), "rms");
  }
  testing::check_source(*source);
}

}  // namespace
}  // namespace weir::formats
