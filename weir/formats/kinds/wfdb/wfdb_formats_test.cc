#include <gtest/gtest.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/formats/flac/flac_file.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/wfdb/wfdb.h"
#include "weir/formats/kinds/wfdb/wfdb_packing.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/wfdb/golden" / name;
}

/// What the wfdb package reads.
const Value& expected_of(const std::string& name) {
  static const Value kAll = parse_json(testing::read_string(golden("read.json")));
  return kAll.at(name);
}

std::unique_ptr<RecordingSource> open(const std::string& name, const std::string& stream = {}) {
  OpenOptions options;
  options.stream = stream;
  return FormatList({&wfdb_format()}).open(golden(name + ".hea"), options);
}

/// Warnings but those of missing samples: of random bytes, some are their mark.
std::vector<std::string> warnings_of(const RecordingSource& source) {
  std::vector<std::string> others = source.info().warnings;
  std::erase_if(others, [](const std::string& text) {
    return text.find("are marked as missing") != std::string::npos;
  });
  return others;
}

void compare_counts(const RecordingSource& source, const Value& expected) {
  const auto samples = read_all(source);
  const auto& channels = source.info().channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    SCOPED_TRACE(channels[c].name);
    const auto& values = expected.at(channels[c].name).as_array();
    const std::size_t frames = samples.size() / channels.size();
    ASSERT_LE(frames, values.size());
    for (std::size_t f = 0; f < frames; ++f) {
      ASSERT_EQ(samples[f * channels.size() + c], static_cast<float>(values[f].as_integer())) << f;
    }
  }
}

TEST(WfdbFormats, ReadsEveryFormatAsTheWfdbPackageDoes) {
  for (const char* name :
       {"f8", "f16", "f24", "f32", "f61", "f80", "f160", "f212", "f310", "f311"}) {
    SCOPED_TRACE(name);
    const auto source = open(name);
    EXPECT_TRUE(warnings_of(*source).empty()) << warnings_of(*source).front();
    EXPECT_EQ(source->info().total_frames(), 31);
    EXPECT_EQ(source->info().channels[1].offset, -0.07);
    compare_counts(*source, expected_of(name));
    testing::check_source(*source);
  }
  EXPECT_EQ(open("f24")->info().stored, StoredType::int24);
  EXPECT_FALSE(open("f24")->stored_as_int16());
  EXPECT_FALSE(open("f8")->stored_as_int16());
  EXPECT_TRUE(open("f311")->stored_as_int16());
}

/// Whether this build reads FLAC; skips the running test where it does not.
bool reads_flac() {
  try {
    open_flac(golden("f516.dat"));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.text();
    EXPECT_FALSE(testing::is_required("flac")) << error.text();
    return false;
  }
}

/// FLAC: two samples a frame, and offsets in samples; of a long file any part.
TEST(WfdbFormats, ReadsCompressedFilesAsTheWfdbPackageDoes) {
  if (!reads_flac()) {
    GTEST_SKIP() << "built without libFLAC";
  }
  for (const auto& [name, frames] : {std::pair("f508", 62), {"f516", 9001}, {"f524", 62}}) {
    SCOPED_TRACE(name);
    const auto source = open(name);
    EXPECT_TRUE(warnings_of(*source).empty()) << warnings_of(*source).front();
    EXPECT_EQ(source->info().total_frames(), frames);
    EXPECT_EQ(source->info().channels[1].offset, -0.07);
    compare_counts(*source, expected_of(name));
    testing::check_source(*source);
  }
  EXPECT_EQ(open("f508")->info().rate, SampleRate::from_hz(500));
  EXPECT_TRUE(open("f516")->stored_as_int16());
  EXPECT_FALSE(open("f524")->stored_as_int16());
}

TEST(WfdbFormats, SaysWhatIsWrongWithACompressedFile) {
  if (!reads_flac()) {
    GTEST_SKIP() << "built without libFLAC";
  }
  const ScratchFolder folder;
  const std::string flac = testing::read_string(golden("f516.dat"));
  const auto refused = [&](const std::string& header, const std::string& data, ErrorCode code,
                           const std::string& part) {
    testing::write_string(folder / "a.hea", header);
    testing::write_string(folder / "a.dat", data);
    expect_error(code, part, [&] { wfdb_format().open(folder / "a.hea", {}); });
  };
  const std::string two = "a.dat 516 200 16 0 0 0 0 I\na.dat 516 200 16 0 0 0 0 II\n";
  refused("a 2 250\n" + two, "no FLAC", ErrorCode::corrupt_data, "a.dat: is no FLAC file");
  refused("a 1 250\na.dat 516 200\n", flac, ErrorCode::corrupt_data,
          "holds 2 channels of 16 bits, not 1 of at most 16");
  refused("a 2 250\na.dat 508 200\na.dat 508 200\n", flac, ErrorCode::corrupt_data,
          "holds 2 channels of 16 bits, not 2 of at most 8");
  refused("a 2 250\na.dat 516x2 200\na.dat 516 200\n", flac, ErrorCode::corrupt_data,
          "signals of a FLAC file have as many samples a frame");
  refused("a 2 250\n" + two, flac.substr(0, flac.size() - 2000), ErrorCode::corrupt_data,
          "a.dat: ");
  // More frames promised than there are.
  testing::write_string(folder / "a.hea", "a 2 250 9500\n" + two);
  testing::write_string(folder / "a.dat", flac);
  const auto source = wfdb_format().open(folder / "a.hea", {});
  EXPECT_EQ(source->info().total_frames(), 9004);
  EXPECT_NE(source->info().warnings.at(0).find("truncated"), std::string::npos);
}

TEST(WfdbFormats, ReadsSignalsOfOtherRatesAsStreams) {
  for (const char* name : {"frames", "frames8"}) {
    SCOPED_TRACE(name);
    const auto fast = open(name);
    EXPECT_EQ(fast->info().rate, SampleRate::from_hz(400));
    EXPECT_EQ(fast->info().metadata.at("stream"), "400 Hz");
    compare_counts(*fast, expected_of(name));
    testing::check_source(*fast);
    const auto slow = open(name, "100 Hz");
    EXPECT_EQ(slow->info().rate, SampleRate::from_hz(100));
    // One of the signals of the first record is stored three frames late.
    const bool late = slow->info().channel_count() == 2;
    EXPECT_EQ(slow->info().total_frames(), late ? 28 : 31);
    EXPECT_EQ(warnings_of(*slow).size(), late ? 1U : 0U);
    compare_counts(*slow, expected_of(name));
    testing::check_source(*slow);
  }
  expect_error(ErrorCode::not_found,
               "stream: no \"5 Hz\"; it holds 400 Hz (1 channel), 100 Hz (2 channels)",
               [] { open("frames", "5 Hz"); });
}

TEST(WfdbFormats, LeavesOutFramesThatALateSignalLacks) {
  const ScratchFolder folder;
  std::filesystem::copy_file(golden("frames.dat"), folder / "a.dat");
  testing::write_string(folder / "a.hea", "a 2 100 62\na.dat 212 200\na.dat 212:5 200\n");
  const auto source = wfdb_format().open(folder / "a.hea", {});
  EXPECT_EQ(source->info().total_frames(), 62);
  testing::write_string(folder / "a.hea", "a 2 100 93\na.dat 212 200\na.dat 212:5 200\n");
  const auto cut = wfdb_format().open(folder / "a.hea", {});
  EXPECT_EQ(cut->info().total_frames(), 88);
  ASSERT_FALSE(cut->info().warnings.empty());
  EXPECT_NE(cut->info().warnings[0].find("the last 5 of 93 frames lack some and are left out"),
            std::string::npos);
  testing::write_string(folder / "a.hea",
                        "a 2 100 93\na.dat 212 200\na.dat 212:9223372036854775807 200\n");
  EXPECT_EQ(wfdb_format().open(folder / "a.hea", {})->info().total_frames(), 0);
}

/// Physical values of a record of segments, at their places on its clock.
void compare_segments(const RecordingSource& source, const Value& expected,
                      std::vector<std::int64_t> frames, std::vector<double> starts) {
  const auto& info = source.info();
  ASSERT_EQ(info.segments.size(), frames.size());
  for (std::size_t s = 0; s < frames.size(); ++s) {
    SCOPED_TRACE(s);
    ASSERT_EQ(info.segments[s].frames, frames[s]);
    EXPECT_DOUBLE_EQ(info.segments[s].start_s.to_double(), starts[s]);
    const auto samples = read_all(source, static_cast<std::int64_t>(s));
    const auto start = static_cast<std::size_t>(std::lround(starts[s] * 250));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Channel& channel = info.channels[i % info.channels.size()];
      const double physical = samples[i] * channel.gain + channel.offset;
      const Value& value = expected.at(channel.name).as_array()[start + i / info.channels.size()];
      ASSERT_NEAR(physical, value.is_null() ? 0.0 : value.as_number(), 1e-4) << channel.name;
    }
  }
}

TEST(WfdbFormats, ReadsRecordsOfSegments) {
  const auto fixed = open("fixed");
  EXPECT_TRUE(fixed->info().warnings.empty());
  EXPECT_TRUE(fixed->stored_as_int16());
  compare_segments(*fixed, expected_of("fixed"), {20, 13}, {0, 0.08});
  testing::check_source(*fixed);
  const auto variable = open("variable");
  // A gap without signals lies in between; a signal's gain changes, so that counts are no integers.
  compare_segments(*variable, expected_of("variable"), {20, 9, 13}, {0, 0.108, 0.144});
  EXPECT_FALSE(variable->stored_as_int16());
  EXPECT_EQ(variable->info().channels[2].unit, "mmHg");
  ASSERT_EQ(variable->info().warnings.size(), 2U);
  EXPECT_NE(variable->info().warnings[0].find("signal ABP is missing in 2 segments (part1, part2)"),
            std::string::npos);
  EXPECT_NE(variable->info().warnings[1].find("signal I is missing in 1 segments (part3)"),
            std::string::npos);
  testing::check_source(*variable);
}

TEST(WfdbFormats, RefusesSegmentsThatDoNotFit) {
  const ScratchFolder folder;
  for (const char* name : {"part1.hea", "part2.hea", "part3.hea", "layout.hea", "part1.dat",
                           "part2.dat", "part3.dat"}) {
    std::filesystem::copy_file(golden(name), folder / name);
  }
  const auto refused = [&](const std::string& header, ErrorCode code, const std::string& part) {
    testing::write_string(folder / "a.hea", header);
    SCOPED_TRACE(header);
    expect_error(code, part, [&] { wfdb_format().open(folder / "a.hea", {}); });
  };
  const auto damaged = ErrorCode::corrupt_data;
  refused(
      "a/2 2 250 33\npart1 20\npart3 9\n", damaged,
      "segment part3: signal 0 (II, mV, 1 a frame) is not that of the others (I, mV, 1 a frame)");
  refused("a/2 2 250 33\npart1 20\npart2 14\n", damaged,
          "part2.hea: tells of 13 samples, but the record of 14");
  refused("a/1 2 500 20\npart1 20\n", damaged, "its rate 250 Hz is not the record's 500 Hz");
  refused("a/2 2 250 20\nlayout 0\n~ 20\n", damaged, "segments: none of them has samples");
  refused("a/1 2 250 20\nb 20\n", ErrorCode::not_found, "b.hea");
  refused("a/1 2 250 33\na 33\n", damaged, "a segment has segments itself");
  refused("a/3 2 250 33\npart1 20\n~ 9223372036854775807\n~ 1\n", damaged,
          "more samples than can be counted");
}

TEST(WfdbFormats, CountsSamplesAndBytesAlike) {
  for (const int format : {8, 16, 24, 32, 61, 80, 160, 212, 310, 311}) {
    for (std::int64_t samples = 0; samples < 30; ++samples) {
      const std::int64_t bytes = wfdb_bytes(format, samples);
      EXPECT_GE(wfdb_samples(format, bytes), samples) << format << " " << samples;
      EXPECT_LT(wfdb_samples(format, bytes - 1), std::max<std::int64_t>(samples, 1))
          << format << " " << samples;
    }
    EXPECT_GT(wfdb_bytes(format, INT64_MAX), 0) << format;
  }
}

}  // namespace
}  // namespace weir::formats
