#include "weir/formats/kinds/edf/edf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/kinds/edf/edf_header.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_string;

struct Signal {
  std::string label = "a";
  std::string unit = "uV";
  std::array<std::string, 4> ranges{"-100", "100", "-1000", "1000"};  ///< Physical, then digital.
  std::string samples = "2";
};

/// A file with these fields and, behind the header, `data`.
struct File {
  std::string version = "0";
  std::string recording = "";
  std::string date = "29.02.04";
  std::string time = "23.59.58";
  std::string header_bytes = "";
  std::string reserved = "";
  std::string records = "1";
  std::string duration = "1";
  std::string count = "";
  std::vector<Signal> signals{Signal{}};
  std::string data;
};

std::string bytes_of(const File& file) {
  std::string text;
  const auto put = [&](const std::string& field, std::size_t width) {
    text += fmt::format("{:<{}}", field, width).substr(0, width);
  };
  put(file.version, 8);
  put("P", 80);
  put(file.recording, 80);
  put(file.date, 8);
  put(file.time, 8);
  put(file.header_bytes.empty() ? fmt::format("{}", 256 * (1 + file.signals.size()))
                                : file.header_bytes,
      8);
  put(file.reserved, 44);
  put(file.records, 8);
  put(file.duration, 8);
  put(file.count.empty() ? fmt::format("{}", file.signals.size()) : file.count, 4);
  const auto each = [&](std::size_t width, auto field) {
    for (const auto& signal : file.signals) {
      put(field(signal), width);
    }
  };
  each(16, [](const Signal& s) { return s.label; });
  each(80, [](const Signal&) { return std::string("electrode"); });
  each(8, [](const Signal& s) { return s.unit; });
  for (std::size_t i = 0; i < 4; ++i) {
    each(8, [i](const Signal& s) { return s.ranges.at(i); });
  }
  each(80, [](const Signal&) { return std::string("HP:0.1Hz"); });
  each(8, [](const Signal& s) { return s.samples; });
  each(32, [](const Signal&) { return std::string(); });
  return text + file.data;
}

std::unique_ptr<RecordingSource> open_file(const ScratchFolder& folder, const File& file,
                                           const std::string& stream = "") {
  write_string(folder / "a.edf", bytes_of(file));
  OpenOptions options;
  options.stream = stream;
  return FormatList({&edf_format()}).open(folder / "a.edf", options);
}

std::string int16_bytes(const std::vector<int>& values) {
  std::string bytes;
  for (const int value : values) {
    bytes += static_cast<char>(value & 255);
    bytes += static_cast<char>(value >> 8 & 255);
  }
  return bytes;
}

/// 16 bytes of annotations that start with a record's time.
std::string time_of(const std::string& onset) {
  std::string text = onset + "\x14\x14";
  text.resize(16, '\0');
  return text;
}

/// One second a record, two samples and its time.
File timed(const std::vector<std::string>& onsets) {
  File file;
  file.reserved = "EDF+D";
  file.records = fmt::format("{}", onsets.size());
  file.signals = {Signal{}, Signal{.label = "EDF Annotations", .samples = "8"}};
  int value = 0;
  for (const auto& onset : onsets) {
    file.data += int16_bytes({value, value + 1}) + time_of(onset);
    value += 2;
  }
  return file;
}

TEST(Edf, ReadsRecordsOfChannelBlocks) {
  const ScratchFolder folder;
  File file;
  file.records = "2";
  file.signals = {Signal{}, Signal{.label = "b", .unit = "\xb5V"},
                  Signal{.label = "T", .unit = ""}};
  file.data = int16_bytes({1, 2, -3, 4, 5, 6, 7, 8, 9, -10, 11, 12});
  const auto source = open_file(folder, file);
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  EXPECT_EQ(info.rate, SampleRate::from_hz(2));
  EXPECT_EQ(info.start_time, "2004-02-29T23:59:58");
  EXPECT_EQ(info.channels[0].gain, 0.1);
  EXPECT_EQ(info.channels[1].unit, "uV");
  EXPECT_EQ(info.channels[2].unit, "");
  EXPECT_EQ(info.stored, StoredType::int16);
  EXPECT_EQ(info.metadata.at("prefilter"), "HP:0.1Hz");
  EXPECT_EQ(read_all(*source), (std::vector<float>{1, -3, 5, 2, 4, 6, 7, 9, 11, 8, -10, 12}));
  testing::check_source(*source);
}

TEST(Edf, ReadsRecordsOfEverySize) {
  const ScratchFolder folder;
  for (const int samples : {1, 3, 20000, 270000}) {  // Many at once, one at once, in pieces.
    SCOPED_TRACE(samples);
    File file;
    file.records = "2";
    file.signals = {Signal{}, Signal{.label = "b"}};
    for (auto& signal : file.signals) {
      signal.samples = fmt::format("{}", samples);
    }
    std::vector<int> values(static_cast<std::size_t>(4 * samples));
    std::iota(values.begin(), values.end(), 0);
    file.data = int16_bytes(values);
    const auto source = open_file(folder, file);
    EXPECT_EQ(source->info().total_frames(), 2 * samples);
    const auto read = read_all(*source);
    EXPECT_EQ(read[1], static_cast<std::int16_t>(samples));
    EXPECT_EQ(read.back(), static_cast<std::int16_t>(4 * samples - 1));
    testing::check_source(*source);
  }
}

TEST(Edf, SplitsDiscontinuousRecordsIntoSegments) {  // Case F1.
  const ScratchFolder folder;
  const auto source = open_file(folder, timed({"+0", "+1", "+10"}));
  const auto& segments = source->info().segments;
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].frames, 4);
  EXPECT_EQ(segments[1].frames, 2);
  EXPECT_EQ(segments[1].start_s, Rational(10));
  EXPECT_EQ(read_all(*source, 0), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(read_all(*source, 1), (std::vector<float>{4, 5}));
  EXPECT_TRUE(source->info().warnings.empty());
  testing::check_source(*source);
}

/// Two gaps, one a sample long, far apart among more records than are all looked at.
TEST(Edf, FindsTheGapsOfManyRecords) {
  const ScratchFolder folder;
  std::vector<std::string> onsets;
  for (int record = 0; record < 40'000; ++record) {
    onsets.push_back(
        fmt::format("+{}", record + (record > 12'345 ? 0.5 : 0) + (record > 31'000 ? 7 : 0)));
  }
  const auto source = open_file(folder, timed(onsets));
  const auto& segments = source->info().segments;
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[0].frames, 2 * 12'346);
  EXPECT_EQ(segments[1].start_s, Rational(24'693, 2));
  EXPECT_EQ(segments[2].start_s, Rational(62'017, 2));
  EXPECT_EQ(source->info().total_frames(), 80'000);
  float first = 0;
  const std::int64_t channel = 0;
  source->read(2, 0, std::span(&channel, 1), {&first, 1, 1, 1});
  EXPECT_EQ(first, static_cast<std::int16_t>(2 * 31'001));
  EXPECT_TRUE(source->info().warnings.empty());
}

TEST(Edf, SaysWhenTheTimesOfRecordsAreDamaged) {
  const ScratchFolder folder;
  const auto source = open_file(folder, timed({"+5.25", "x", "+7.25", "+7.0", "+100"}));
  const auto& info = source->info();
  ASSERT_EQ(info.segments.size(), 3U);
  EXPECT_EQ(info.segments[0].start_s, Rational(21, 4));
  EXPECT_EQ(info.segments[0].frames, 6);  // The one without time follows the one before.
  EXPECT_EQ(info.segments[2].start_s, Rational(100));
  ASSERT_EQ(info.warnings.size(), 2U);
  EXPECT_NE(info.warnings[0].find("1 of 5 data records have no time, the first is record 1"),
            std::string::npos);
  EXPECT_NE(info.warnings[1].find("1 data records start before"), std::string::npos);
}

TEST(Edf, StartsContinuousFilesAtTheirPartOfASecond) {
  const ScratchFolder folder;
  File file = timed({"+0.125", "+1.125", "+50"});
  file.reserved = "EDF+C";
  const auto source = open_file(folder, file);
  ASSERT_EQ(source->info().segments.size(), 1U);
  EXPECT_EQ(source->info().segments[0].start_s, Rational(1, 8));
  EXPECT_EQ(edf_onset("+8192.202312\x14"), Rational(1024025289, 125000));  // Case F9.
  EXPECT_FALSE(edf_onset("8192\x14"));
  EXPECT_FALSE(edf_onset("+nan\x14"));
}

TEST(Edf, ScalesFromBothMinima) {  // Cases F3, F6, and ranges that give no scale.
  std::vector<std::string> warnings;
  const auto channel = [&](double pmin, double pmax, double dmin, double dmax) {
    return edf_channel({.label = "a",
                        .unit = "uV",
                        .prefilter = "",
                        .physical_min = pmin,
                        .physical_max = pmax,
                        .digital_min = dmin,
                        .digital_max = dmax},
                       0, warnings);
  };
  const auto at = [](const Channel& c, double digital) { return c.gain * digital + c.offset; };
  // -5859.3 + 11718.49 * 32768 / 65535, in decimal arithmetic.
  EXPECT_NEAR(at(channel(-5859.3, 5859.19, -32768, 32767), 0), 0.034406347753109, 1e-12);
  const auto reversed = channel(100, -100, -32768, 32767);
  EXPECT_DOUBLE_EQ(at(reversed, 32767), -100);
  EXPECT_DOUBLE_EQ(at(reversed, -32768), 100);
  EXPECT_LT(reversed.gain, 0);
  EXPECT_TRUE(warnings.empty());
  const auto flat = channel(0, 0, -5, 5);
  EXPECT_EQ(flat.gain, 1);
  EXPECT_EQ(flat.unit, "");
  channel(0, 1, 5, 5);
  EXPECT_EQ(warnings.size(), 2U);
}

TEST(Edf, ReadsBdfsSignedTriples) {  // Case F7.
  const ScratchFolder folder;
  File file;
  file.version =
      "\xff"
      "BIOSEMI";
  file.reserved = "24BIT";
  file.signals[0].ranges = {"-262144", "262143", "-8388608", "8388607"};
  file.data = std::string("\x01\x00\x80\xff\xff\x7f", 6);
  const auto source = open_file(folder, file);
  EXPECT_EQ(read_all(*source), (std::vector<float>{-8388607, 8388607}));
  EXPECT_DOUBLE_EQ(source->info().channels[0].gain, 524287.0 / 16777215);
  EXPECT_EQ(source->info().stored, StoredType::int24);
  EXPECT_FALSE(source->stored_as_int16());
  EXPECT_EQ(source->info().metadata.at("type"), "BDF");
}

TEST(Edf, GivesEachRateAStream) {
  const ScratchFolder folder;
  File file;
  file.signals = {Signal{.label = "slow", .unit = "degC", .samples = "1"},
                  Signal{.label = "fast", .samples = "3"},
                  Signal{.label = "slow 2", .unit = "%", .samples = "1"},
                  Signal{.label = "none", .samples = "0"}};
  file.data = int16_bytes({1, 2, 3, 4, 5});
  const auto fast = open_file(folder, file);
  EXPECT_EQ(fast->info().metadata.at("streams"), "1 Hz (2 channels), 3 Hz (1 channel)");
  EXPECT_EQ(fast->info().metadata.at("stream"), "3 Hz");
  EXPECT_EQ(read_all(*fast), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(fast->info().channels[0].source_index, 1);
  for (const char* name : {"1 Hz", "1"}) {
    const auto slow = open_file(folder, file, name);
    EXPECT_EQ(slow->info().rate, SampleRate::from_hz(1));
    EXPECT_EQ(read_all(*slow), (std::vector<float>{1, 5}));
  }
  expect_error(ErrorCode::not_found, "stream: no \"2 Hz\"; it holds 1 Hz (2 channels), 3 Hz",
               [&] { open_file(folder, file, "2 Hz"); });
}

TEST(Edf, NamesDuplicateLabels) {
  const ScratchFolder folder;
  File file;
  file.signals = {Signal{}, Signal{.label = "b"}, Signal{}};
  file.data = int16_bytes({1, 2, 3, 4, 5, 6});
  const auto source = open_file(folder, file);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("channels 0, 2 have the same name, a"),
            std::string::npos);
}

TEST(Edf, UsesTheFilesOwnSizeAndTellsBoth) {
  const ScratchFolder folder;
  File file;
  file.data = int16_bytes({1, 2, 3, 4, 5}) + "x";
  const auto warning = [&](const std::string& records) {
    file.records = records;
    const auto source = open_file(folder, file);
    EXPECT_EQ(source->info().total_frames(), 4);
    return source->info().warnings.at(0);
  };
  EXPECT_NE(
      warning("7").find("holds 2 whole data records where the header says 7; the last 3 bytes"),
      std::string::npos);
  EXPECT_NE(warning("-1").find("never written; the file holds 2"), std::string::npos);
  EXPECT_NE(warning("2").find("the last 3 bytes make no whole record of 4"), std::string::npos);
  file.header_bytes = "99";
  EXPECT_NE(warning("2").find("takes \"99\" bytes, but 1 signals take 512"), std::string::npos);
  file.data.clear();
  EXPECT_EQ(open_file(folder, file)->info().total_frames(), 0);
  file = timed({});
  EXPECT_EQ(open_file(folder, file)->info().total_frames(), 0);
}

TEST(Edf, ReadsDatesOfBothCenturies) {
  const ScratchFolder folder;
  const auto start = [&](const std::string& date, const std::string& recording = "") {
    File file;
    file.date = date;
    file.recording = recording;
    file.data = int16_bytes({0, 0});
    return open_file(folder, file)->info().start_time;
  };
  EXPECT_EQ(start("01.12.85"), "1985-12-01T23:59:58");
  EXPECT_EQ(start("01.12.84"), "2084-12-01T23:59:58");
  EXPECT_EQ(start("01.12.04", "Startdate 01-DEC-2104 X X X"), "2104-12-01T23:59:58");
  EXPECT_EQ(start("00.00.00"), "");
  EXPECT_EQ(start("a"), "");
}

TEST(Edf, NamesTheFieldThatIsWrong) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& part, auto change,
                           ErrorCode code = ErrorCode::corrupt_data) {
    File file;
    file.data = int16_bytes({1, 2});
    change(file);
    expect_error(code, part, [&] { open_file(folder, file); });
  };
  refused("is neither EDF nor BDF", [](File& f) { f.version = "1"; });
  refused("number of signals: 0", [](File& f) { f.count = "0"; });
  refused("number of signals: \"-\"", [](File& f) { f.count = "-"; });
  refused("inside its header of 9999 signals", [](File& f) { f.count = "9999"; });
  refused("duration of a data record: 0 s", [](File& f) { f.duration = "0"; });
  refused("duration of a data record: 1e-300 s", [](File& f) { f.duration = "1e-300"; });
  refused("duration of a data record: \"x\"", [](File& f) { f.duration = "x"; });
  refused("number of data records", [](File& f) { f.records = "many"; });
  refused("signal 0 (a): physical minimum: \"x\"", [](File& f) { f.signals[0].ranges[0] = "x"; });
  refused("signal 0 (a): digital maximum: inf", [](File& f) { f.signals[0].ranges[3] = "inf"; });
  refused("signal 0 (a): samples in a data record: -1",
          [](File& f) { f.signals[0].samples = "-1"; });
  refused("0 for every signal", [](File& f) { f.signals[0].samples = "0"; });
  refused(
      "annotations only", [](File& f) { f.signals[0].label = "EDF Annotations"; },
      ErrorCode::unsupported);
  write_string(folder / "b.edf", "0       ");
  expect_error(ErrorCode::corrupt_data, "b.edf", [&] { edf_format().open(folder / "b.edf", {}); });
}

TEST(Edf, RefusesATruncatedHeaderAtEveryByte) {
  const ScratchFolder folder;
  const std::string whole = bytes_of(timed({"+0"}));
  for (std::size_t length = 0; length < 768; ++length) {
    write_string(folder / "a.edf", whole.substr(0, length));
    expect_error(ErrorCode::corrupt_data, "a.edf",
                 [&] { edf_format().open(folder / "a.edf", {}); });
  }
}

TEST(Edf, IsFoundByItsFirstBytes) {
  const ScratchFolder folder;
  write_string(folder / "plain.dat", bytes_of(File{}));
  EXPECT_EQ(&FormatList({&edf_format()}).detect(folder / "plain.dat"), &edf_format());
  write_string(folder / "other.rec", "0       no");
  EXPECT_EQ(edf_format().probe(folder / "other.rec", std::as_bytes(std::span("0       no", 10))),
            Match::no);
}

TEST(Edf, AcceptsADecimalComma) {
  const ScratchFolder folder;
  File file;
  file.signals[0].ranges = {"-0,5", "0,5", "-100", "100"};
  file.data = int16_bytes({1, 2});
  EXPECT_DOUBLE_EQ(open_file(folder, file)->info().channels[0].gain, 0.005);
}

}  // namespace
}  // namespace weir::formats
