#include "weir/formats/kinds/intan/intan.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/intan/intan_header.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_string;

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/intan/golden" / name;
}

std::unique_ptr<RecordingSource> open_stream(const fs::path& path, const std::string& stream) {
  OpenOptions options;
  options.stream = stream;
  return FormatList({&intan_format()}).open(path, options);
}

/// Our name of neo's stream; empty for digital lines and stimulation, which neo takes apart.
std::string our_name(const std::string& neo) {
  for (const auto& [part, name] :
       std::vector<std::pair<std::string, std::string>>{{"DC Amp", "dcamplifier"},
                                                        {"amplifier", "amplifier"},
                                                        {"auxiliary", "auxiliary"},
                                                        {"supply", "supply"},
                                                        {"ADC input", "analogin"},
                                                        {"ADC output", "analogout"}}) {
    if (neo.find(part) != std::string::npos) {
      return name;
    }
  }
  return {};
}

void compare(const RecordingSource& source, const Value& expected) {
  const auto& info = source.info();
  const auto& ids = expected.at("ids").as_array();
  ASSERT_EQ(info.channels.size(), ids.size());
  ASSERT_EQ(info.total_frames(), expected.at("frames").as_integer());
  for (std::size_t c = 0; c < ids.size(); ++c) {
    const Channel& channel = info.channels[c];
    EXPECT_EQ(channel.name, ids[c].as_string());
    EXPECT_EQ(channel.gain, expected.at("gains").as_array()[c].as_number());
    EXPECT_DOUBLE_EQ(channel.offset, expected.at("offsets").as_array()[c].as_number());
    EXPECT_EQ(channel.unit, expected.at("units").as_array()[c].as_string());
  }
  std::vector<float> samples;
  for (std::int64_t s = 0; s < std::ssize(info.segments); ++s) {
    const auto part = read_all(source, s);
    samples.insert(samples.end(), part.begin(), part.end());
  }
  const auto& first = expected.at("first").as_array();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(samples.at(i), first[i].as_number()) << i;
  }
  const auto& last = expected.at("last").as_array();
  for (std::size_t c = 0; c < ids.size(); ++c) {
    EXPECT_EQ(samples.at(samples.size() - ids.size() + c), last[c].as_number());
  }
  testing::check_source(source);
}

TEST(Intan, ReadsWhatNeoReads) {
  const Value cases = parse_json(testing::read_string(golden("neo.json")));
  int compared = 0;
  for (const auto& [name, streams] : cases.as_object()) {
    for (const auto& [neo, expected] : streams.as_object()) {
      SCOPED_TRACE(name + " " + neo);
      const std::string stream = our_name(neo);
      if (stream.empty()) {
        continue;
      }
      const auto source = open_stream(golden(name), stream);
      EXPECT_TRUE(source->info().warnings.empty()) << source->info().warnings.front();
      compare(*source, expected);
      // In files of their own, slow channels have as many frames as the others: neo's rate is off.
      if (name != "signals") {
        EXPECT_NEAR(source->info().rate.hz(), expected.at("rate").as_number(), 1e-4);
      } else {
        EXPECT_EQ(source->info().rate, SampleRate::from_hz(20000));
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 16);
}

TEST(Intan, DescribesTheAmplifiersByDefault) {
  const auto source = open_stream(golden("whole.rhd"), "");
  const auto& info = source->info();
  EXPECT_EQ(info.metadata.at("stream"), "amplifier");
  EXPECT_EQ(info.metadata.at("streams"),
            "amplifier (2 channels), auxiliary (1 channels), supply (1 channels), analogin (1 "
            "channels), digitalin (1 channels)");
  EXPECT_EQ(info.metadata.at("notch"), "60 Hz");
  EXPECT_EQ(info.metadata.at("notes"), "a note\n\u00b5");
  EXPECT_EQ(info.metadata.at("version"), "RHD 2.0");
  EXPECT_EQ(info.channels[1].group, "A");
  EXPECT_EQ(info.segments.size(), 1U);
  // Case C4: 32534 of a traditional file; case C7: 1000 of an auxiliary input.
  EXPECT_NEAR(32534 * info.channels[0].gain + info.channels[0].offset, -45.63, 1e-9);
  const auto auxiliary = open_stream(golden("whole.rhd"), "auxiliary");
  EXPECT_DOUBLE_EQ(1000 * auxiliary->info().channels[0].gain, 0.0374);
  EXPECT_EQ(open_stream(golden("whole.rhd"), "digitalin")->info().channels[0].unit, "");
  EXPECT_EQ(open_stream(golden("stim.rhs"), "stim")->info().channels[1].name, "B-007_STIM");
  expect_error(ErrorCode::not_found, "stream: no \"lfp\"; it holds amplifier (2 channels)",
               [] { open_stream(golden("whole.rhd"), "lfp"); });
}

TEST(Intan, StartsSegmentsWhereTimeStampsJump) {
  const auto source = open_stream(golden("gap.rhd"), "");
  const auto& segments = source->info().segments;
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].start_s, Rational(-60, 20000));  // Stamps before a trigger are negative.
  EXPECT_EQ(segments[0].frames, 120);
  EXPECT_EQ(segments[1].start_s, Rational(1000, 20000));
  EXPECT_EQ(segments[1].frames, 60);
  const auto slow = open_stream(golden("gap.rhd"), "auxiliary");
  EXPECT_EQ(slow->info().rate, SampleRate::from_hz(5000));
  ASSERT_EQ(slow->info().segments.size(), 2U);
  EXPECT_EQ(slow->info().segments[0].frames, 30);
  EXPECT_EQ(slow->info().segments[1].start_s, Rational(1000, 20000));
}

TEST(Intan, ReadsFoldersWithAFileForEachSignalOrChannel) {
  const auto whole = open_stream(golden("signals"), "");
  EXPECT_TRUE(whole->stored_as_int16());
  EXPECT_EQ(read_all(*open_stream(golden("signals") / "info.rhd", "")), read_all(*whole));
  EXPECT_EQ(open_stream(golden("signals") / "analogin.dat", "")->info().metadata.at("stream"),
            "analogin");
  const auto channels = open_stream(golden("channels"), "");
  EXPECT_EQ(channels->info().channel_count(), 2);
  EXPECT_EQ(channels->info().metadata.at("streams"),
            "amplifier (2 channels), analogin (1 channels)");
  EXPECT_TRUE(channels->info().warnings.empty());
  const auto file = testing::read_string(golden("channels") / "amp-A-001.dat");
  std::int16_t first = 0;
  std::memcpy(&first, file.data(), 2);
  EXPECT_EQ(read_all(*channels)[1], first);
  testing::check_source(*channels);
}

TEST(Intan, TellsFilesThatAreShortOrMissing) {
  const ScratchFolder folder;
  fs::copy(golden("channels"), folder / "a", fs::copy_options::recursive);
  fs::remove(folder / "a" / "amp-A-000.dat");
  fs::resize_file(folder / "a" / "amp-A-001.dat", 700);
  const auto source = open_stream(folder / "a", "");
  EXPECT_EQ(source->info().total_frames(), 350);
  ASSERT_EQ(source->info().warnings.size(), 2U);
  EXPECT_NE(source->info().warnings[0].find("1 of 2 channels of amplifier have no file"),
            std::string::npos);
  EXPECT_NE(source->info().warnings[1].find("350 frames of amplifier, but time.dat has stamps for "
                                            "400"),
            std::string::npos);
  fs::remove(folder / "a" / "time.dat");
  EXPECT_NE(open_stream(folder / "a", "")->info().warnings.at(1).find("no time.dat"),
            std::string::npos);
  const std::string bytes = testing::read_string(golden("whole.rhd"));
  write_string(folder / "b.rhd", bytes.substr(0, bytes.size() - 100));
  const auto cut = open_stream(folder / "b.rhd", "");
  EXPECT_EQ(cut->info().total_frames(), 256);
  EXPECT_NE(cut->info().warnings.at(0).find("make no whole data block"), std::string::npos);
}

TEST(Intan, RefusesATruncatedHeaderAtEveryByte) {
  const ScratchFolder folder;
  const std::string bytes = testing::read_string(golden("signals") / "info.rhd");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    write_string(folder / "a.rhd", bytes.substr(0, length));
    expect_error(ErrorCode::corrupt_data, "a.rhd",
                 [&] { intan_format().open(folder / "a.rhd", {}); });
  }
}

TEST(Intan, NamesWhatIsWrong) {
  const ScratchFolder folder;
  const auto changed = [&](std::size_t at, const std::string& with, ErrorCode code,
                           const std::string& part) {
    std::string bytes = testing::read_string(golden("whole.rhd"));
    bytes.replace(at, with.size(), with);
    write_string(folder / "a.rhd", bytes);
    expect_error(code, part, [&] { intan_format().open(folder / "a.rhd", {}); });
  };
  changed(0, "x", ErrorCode::corrupt_data, "neither RHD nor RHS");
  changed(8, std::string(4, '\0'), ErrorCode::corrupt_data, "sampling rate: 0 Hz");
  changed(8, "\xff\xff\xff\xff", ErrorCode::corrupt_data, "sampling rate: ");
  changed(8, "\xff\xff\x7f\x7f", ErrorCode::corrupt_data, "a.rhd");
  changed(48, "\xf0\xff\xff\xff", ErrorCode::corrupt_data, "its header of at least 4294967");
  expect_error(ErrorCode::not_found, "no info.rhd or info.rhs",
               [&] { intan_format().open(folder.path(), {}); });
}

}  // namespace
}  // namespace weir::formats
