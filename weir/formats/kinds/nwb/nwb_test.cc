#include "weir/formats/kinds/nwb/nwb.h"

#include <gtest/gtest.h>

#include <thread>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/nwb/golden" / name;
}

std::unique_ptr<RecordingSource> open_series(const std::string& file, const std::string& name) {
  OpenOptions options;
  options.stream = name;
  return nwb_format().open(golden(file), options);
}

TEST(Nwb, ReadsWhatPynwbReads) {
  const Value cases = parse_json(testing::read_string(golden("read.json")));
  for (const auto& [name, expected] : cases.as_object()) {
    SCOPED_TRACE(name);
    const auto source = open_series("three.nwb", name);
    const auto& info = source->info();
    EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
    EXPECT_EQ(info.total_frames(), expected.at("frames").as_integer());
    EXPECT_EQ(info.metadata.at("stream"), name);
    EXPECT_EQ(info.start_time, "2026-11-30T04:05:06+00:00");
    for (std::size_t c = 0; c < info.channels.size(); ++c) {
      const Channel& channel = info.channels[c];
      EXPECT_EQ(channel.name, expected.at("names").as_array()[c].as_string());
      EXPECT_EQ(channel.group, expected.at("groups").as_array()[c].as_string());
      EXPECT_EQ(channel.unit, "V");
      ASSERT_TRUE(channel.position);
      EXPECT_EQ((*channel.position)[0], expected.at("x").as_array()[c].as_number());
      EXPECT_EQ((*channel.position)[1], expected.at("y").as_array()[c].as_number());
    }
    const auto samples = read_all(*source, 0);
    const auto& stored = expected.at("stored").as_array();
    const auto& volts = expected.at("volts").as_array();
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const Channel& channel = info.channels[i % info.channels.size()];
      ASSERT_EQ(samples[i], static_cast<float>(stored[i].as_number())) << i;
      const double want = volts[i].as_number();
      ASSERT_NEAR(stored[i].as_number() * channel.gain + channel.offset, want,
                  1e-6 * std::abs(want) + 1e-12);
    }
    testing::check_source(*source);
  }
}

TEST(Nwb, FollowsTheRegionOfTheElectrodesTable) {  // Case F13.
  const auto source = open_series("three.nwb", "ElectricalSeriesAP");
  const auto& info = source->info();
  EXPECT_EQ(info.channels[0].name, "AP7");
  EXPECT_EQ(info.channels[0].group, "shank1");
  EXPECT_EQ(info.channels[1].group, "shank0");
  EXPECT_EQ((*info.channels[3].position)[1], 220);
  EXPECT_EQ(info.rate, SampleRate::from_hz(30000.5));
  EXPECT_EQ(info.segments[0].start_s, Rational(3, 2));
  EXPECT_TRUE(source->stored_as_int16());
  EXPECT_EQ(source->preferred_frames(), 64);
}

TEST(Nwb, SplitsIrregularTimestampsIntoSegments) {
  const auto source = open_series("three.nwb", "ElectricalSeriesLFP");
  const auto& info = source->info();
  EXPECT_EQ(info.rate, SampleRate::from_hz(2500));
  ASSERT_EQ(info.segments.size(), 3U);
  EXPECT_EQ(info.segments[0].frames, 300);
  EXPECT_EQ(info.segments[1].frames, 100);
  EXPECT_EQ(info.segments[2].frames, 50);
  EXPECT_EQ(info.segments[0].start_s, Rational(5));
  EXPECT_EQ(info.segments[1].start_s, Rational(29, 4));
  EXPECT_EQ(info.segments[2].start_s, Rational(37, 5));
}

TEST(Nwb, ListsItsSeries) {
  const auto largest = open_series("three.nwb", "");
  EXPECT_EQ(largest->info().metadata.at("stream"), "ElectricalSeriesAP");
  EXPECT_EQ(largest->info().metadata.at("streams"),
            "ElectricalSeriesAP (4 channels), Single (1 channel), ElectricalSeriesLFP (4 "
            "channels)");
  EXPECT_EQ(open_series("three.nwb", "/acquisition/Single")->info().channel_count(), 1);
  expect_error(ErrorCode::not_found, "stream: no \"x\"; it holds ElectricalSeriesAP",
               [] { open_series("three.nwb", "x"); });
}

TEST(Nwb, ReadsBigEndianNumbersWithoutElectrodes) {
  const auto source = open_series("refused.nwb", "plain");
  EXPECT_EQ(read_all(*source)[59], 59);
  EXPECT_EQ(source->info().channels[0].unit, "uV");
  EXPECT_EQ(source->info().channels[0].name, "ch0");
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("names no electrodes"), std::string::npos);
}

TEST(Nwb, NeverLeavesItsFile) {
  const auto refused = [](const std::string& name, const char* part) {
    expect_error(ErrorCode::unsupported, part, [&] { open_series("refused.nwb", name); });
  };
  refused("outside", "in other files (external storage)");
  refused("virtual", "in other files (a virtual dataset)");
  refused("lzf", "its filter \"lzf\" (32000) is not part of HDF5");
  expect_error(ErrorCode::not_found, "no \"linked\"", [] { open_series("refused.nwb", "linked"); });
}

TEST(Nwb, NamesWhatIsWrong) {
  const auto refused = [](ErrorCode code, const std::string& name, const char* part) {
    expect_error(code, part, [&] { open_series("refused.nwb", name); });
  };
  refused(ErrorCode::unsupported, "cube", "/acquisition/cube: its data has 3 axes");
  refused(ErrorCode::unsupported, "text", "no numbers");
  refused(ErrorCode::unsupported, "empty", "has no data");
  refused(ErrorCode::corrupt_data, "swapped", "seem to be [channels, time]");
  refused(ErrorCode::corrupt_data, "far", "names row 9 of the 2");
  refused(ErrorCode::corrupt_data, "unscaled", "conversion 0");
  refused(ErrorCode::corrupt_data, "rateless", "has no rate");
  refused(ErrorCode::corrupt_data, "clockless", "neither starting_time nor timestamps");
  expect_error(ErrorCode::unsupported, "no nwb_version", [] { open_series("other.h5", ""); });
}

TEST(Nwb, RefusesATruncatedFile) {
  const testing::ScratchFolder folder;
  const std::string whole = testing::read_string(golden("three.nwb"));
  for (std::size_t length = 0; length < whole.size(); length += 997) {
    testing::write_string(folder / "a.nwb", whole.substr(0, length));
    expect_error(ErrorCode::corrupt_data, "a.nwb",
                 [&] { nwb_format().open(folder / "a.nwb", {}); });
  }
}

TEST(Nwb, ReadsSpikeTimesAndIntervals) {
  const auto listed = nwb_format().list_events(golden("three.nwb"), {});
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].name, "units");
  EXPECT_EQ(listed[1].name, "trials");
  OpenOptions options;
  options.stream = "units";
  const auto units = nwb_format().open_events(golden("three.nwb"), options);
  ASSERT_EQ(units->info().table.stream.channel_count(), 3);
  EXPECT_EQ(units->info().table.stream.channels[2].name, "9");
  const auto at = [](std::int64_t sample, std::int32_t channel) {
    return Event{.onset = sample,
                 .offset = sample,
                 .peak = sample,
                 .final = sample,
                 .channel = channel,
                 .polarity = 1};
  };
  EXPECT_EQ(testing::read_all_events(*units),
            (EventList{at(0, 0), at(10, 0), at(300, 0), at(699, 2)}));
  ASSERT_EQ(units->info().warnings.size(), 1U);
  EXPECT_NE(units->info().warnings[0].find("2 of 6 times lie outside"), std::string::npos);
  testing::check_event_source(*units);
  options.stream = "trials";
  const auto trials =
      testing::read_all_events(*nwb_format().open_events(golden("three.nwb"), options));
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0].offset, 90);
  EXPECT_EQ(trials[1].onset, 300);
  EXPECT_EQ(trials[1].offset, Event::kOpen);
}

TEST(Nwb, ServesSeveralThreadsThoughHdf5ServesOne) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 20; ++round) {
        const auto source = open_series("three.nwb", "");
        EXPECT_EQ(read_all(*source).size(), 2800U);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}

TEST(Nwb, IsFoundByItsFirstBytes) {
  EXPECT_EQ(&FormatList({&nwb_format()}).detect(golden("three.nwb")), &nwb_format());
  EXPECT_EQ(&FormatList({&nwb_format()}).detect(golden("other.h5")), &nwb_format());
  EXPECT_EQ(nwb_format().probe("a.dat", {}), Match::no);
}

}  // namespace
}  // namespace weir::formats
