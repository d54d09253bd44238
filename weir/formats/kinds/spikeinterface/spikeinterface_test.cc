#include "weir/formats/kinds/spikeinterface/spikeinterface.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;
using testing::write_string;

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/spikeinterface/golden" / name;
}

void compare_channels(const RecordingInfo& info, const Value& expected) {
  for (std::size_t c = 0; c < 4; ++c) {
    const Channel& channel = info.channels.at(c);
    const auto& place = expected.at("locations").as_array()[c].as_array();
    EXPECT_EQ(channel.name, expected.at("ids").as_array()[c].as_string());
    EXPECT_EQ(channel.group, expected.at("groups").as_array()[c].as_string());
    EXPECT_EQ(channel.unit, "uV");
    ASSERT_TRUE(channel.position) << channel.name;
    EXPECT_EQ((*channel.position)[0], place[0].as_number());
    EXPECT_EQ((*channel.position)[1], place[1].as_number());
  }
}

TEST(Spikeinterface, ReadsWhatSpikeInterfaceSaved) {
  const Value cases = parse_json(testing::read_string(golden("read.json")));
  for (const auto& [name, expected] : cases.as_object()) {
    SCOPED_TRACE(name);
    const auto source = FormatList({&spikeinterface_format()}).open(golden(name), {});
    const auto& info = source->info();
    EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
    EXPECT_EQ(info.rate, SampleRate::from_hz(30000.5));
    ASSERT_EQ(info.segments.size(), 2U);
    compare_channels(info, expected);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(info.segments[s].start_s.to_double(),
                expected.at("starts").as_array()[s].as_number());
      const auto samples = read_all(*source, static_cast<std::int64_t>(s));
      const auto& microvolts = expected.at("microvolts").as_array()[s].as_array();
      ASSERT_EQ(samples.size(), microvolts.size());
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const Channel& channel = info.channels[i % 4];
        // SpikeInterface computes in float32.
        ASSERT_NEAR(samples[i] * channel.gain + channel.offset, microvolts[i].as_number(), 1e-3);
      }
    }
    testing::check_source(*source);
  }
  EXPECT_TRUE(spikeinterface_format().open(golden("new") / "binary.json", {})->stored_as_int16());
}

/// A folder with one file "a.raw" of eight bytes.
std::filesystem::path saved(const ScratchFolder& folder, const std::string& arguments,
                            const std::string& kind = "x.BinaryRecordingExtractor") {
  write_string(folder / "binary.json", "{\"class\": \"" + kind +
                                           "\", \"kwargs\": {\"file_paths\": [\"a.raw\"], " +
                                           "\"sampling_frequency\": 100, " + arguments + "}}");
  write_string(folder / "a.raw", std::string("\x01\x00\x02\x00\x03\x00\x04\x00", 8));
  return folder.path();
}

TEST(Spikeinterface, ReadsOtherTypesAxesAndOffsets) {
  const ScratchFolder folder;
  const auto read = [&](const std::string& arguments) {
    return read_all(*spikeinterface_format().open(saved(folder, arguments), {}));
  };
  EXPECT_EQ(read(R"("num_channels": 2, "dtype": "int16", "time_axis": 1)"),
            (std::vector<float>{1, 3, 2, 4}));
  EXPECT_EQ(read(R"("num_channels": 2, "dtype": ">i2")"),
            (std::vector<float>{256, 512, 768, 1024}));
  EXPECT_EQ(read(R"("num_channels": 1, "dtype": "<u2", "file_offset": 4)"),
            (std::vector<float>{3, 4}));
  const auto plain =
      spikeinterface_format().open(saved(folder, R"("num_chan": 3, "dtype": "int16")"), {});
  EXPECT_EQ(plain->info().channels[1].unit, "");
  EXPECT_EQ(plain->info().channels[1].name, "ch1");
  ASSERT_EQ(plain->info().warnings.size(), 1U);
  EXPECT_NE(plain->info().warnings[0].find("the last 2 are ignored"), std::string::npos);
}

TEST(Spikeinterface, IsFoundByItsDocument) {
  const ScratchFolder folder;
  const auto arguments = R"("num_channels": 1, "dtype": "int16")";
  EXPECT_EQ(spikeinterface_format().probe(saved(folder, arguments), {}), Match::certain);
  EXPECT_EQ(spikeinterface_format().probe(folder / "binary.json", {}), Match::certain);
  EXPECT_EQ(spikeinterface_format().probe(folder / "a.raw", {}), Match::no);
  EXPECT_EQ(spikeinterface_format().probe(saved(folder, arguments, "x.ZarrRecording"), {}),
            Match::no);
}

TEST(Spikeinterface, SaysWhatItDoesNotUse) {
  const ScratchFolder folder;
  const auto path = saved(folder, R"("num_channels": 1, "dtype": "int16")");
  std::filesystem::create_directories(folder / "properties");
  write_string(folder / "properties" / "gain_to_uV.npy", "no npy");
  write_string(folder / "probegroup.json",
               R"({"probes": [{"contact_positions": [[0, 0], [0, 1]]}]})");
  write_string(folder / "times_cached_seg0.npy", "");
  const auto source = spikeinterface_format().open(path, {});
  ASSERT_EQ(source->info().warnings.size(), 3U);
  EXPECT_NE(source->info().warnings[0].find("the property is not used"), std::string::npos);
  EXPECT_NE(
      source->info().warnings[1].find("the probe is not used: a contact is wired to channel 1"),
      std::string::npos);
  EXPECT_NE(source->info().warnings[2].find("times of single samples"), std::string::npos);
  EXPECT_FALSE(source->info().channels[0].position);
}

TEST(Spikeinterface, NamesTheFieldThatIsWrong) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& arguments, const std::string& part,
                           ErrorCode code = ErrorCode::corrupt_data) {
    const auto path = saved(folder, arguments);
    expect_error(code, part, [&] { spikeinterface_format().open(path, {}); });
  };
  const std::string good = R"("num_channels": 1, "dtype": "int16", )";
  refused(R"("num_channels": 0, "dtype": "int16")", "num_channels: 0 is not between");
  refused(R"("num_channels": 1, "dtype": "complex64")",
          "dtype: type \"complex64\" is no real number", ErrorCode::unsupported);
  refused(R"("dtype": "int16")", "num_chan");
  refused(good + R"("gain_to_uV": [1, 2])", "gain_to_uV: 2 entries for 1 channels");
  refused(good + R"("channel_ids": 5)", "channel_ids");
  refused(good + R"("t_starts": [0, 1])", "t_starts: 2 entries for 1 files");
  refused(good + R"("t_starts": [1e300])", "t_starts");
  refused(good + R"("file_offset": -1)", "file_offset: -1");
  for (const char* file : {"../a.raw", "/a.raw", "x/../../a.raw", ""}) {
    write_string(
        folder / "binary.json",
        std::string(R"({"class": ".BinaryRecordingExtractor", "kwargs": {"file_paths": [")") +
            file + R"("], "sampling_frequency": 100, "num_channels": 1, "dtype": "int16"}})");
    expect_error(ErrorCode::corrupt_data, "is no file inside the folder",
                 [&] { spikeinterface_format().open(folder.path(), {}); });
  }
}

}  // namespace
}  // namespace weir::formats
