#include "weir/formats/kinds/brainvision/brainvision_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/brainvision/brainvision.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_string;

/// One channel of ten samples at 1000 Hz, with these markers.
std::unique_ptr<EventSource> open_markers(const ScratchFolder& folder, const std::string& markers,
                                          const std::string& head = "") {
  write_string(folder / "a.vhdr",
               "BrainVision Data Exchange Header File Version 1.0\r\n[Common Infos]\r\n"
               "DataFile=a.eeg\r\nMarkerFile=a.vmrk\r\nDataFormat=BINARY\r\n"
               "DataOrientation=MULTIPLEXED\r\nNumberOfChannels=1\r\nSamplingInterval=1000\r\n"
               "[Binary Infos]\r\nBinaryFormat=INT_16\r\n[Channel Infos]\r\nCh1=Fz,,0.5,uV\r\n");
  write_string(folder / "a.vmrk", head + "BrainVision Marker File\n[Marker Infos]\n" + markers);
  write_string(folder / "a.eeg", std::string(20, '\0'));
  return brainvision_format().open_events(folder / "a.vmrk", {});
}

TEST(BrainvisionEvents, AreTheMarkersThatStartNoSegment) {
  const ScratchFolder folder;
  const auto source = open_markers(folder,
                                   "Mk1=New Segment,,1,1,0,20131113161403794232\n"
                                   "Mk2=Stimulus,S  1,3,1,0\n"
                                   "Mk10=Comment,a\\1b = \xc3\xa4,2,5,0\n"
                                   "Mk11=New Segment,,7,1,0,20131113161413794232\n"
                                   "Mk12=Stimulus,S  1,9,,2\n"
                                   "Mk13=Response,,20,0,0\n",
                                   "; [Marker Infos]\n");
  testing::check_event_source(*source);
  const auto& info = source->info();
  EXPECT_EQ(info.name, "markers");
  std::vector<std::string> rows;
  for (const auto& event : testing::read_all_events(*source)) {
    const EventRow row = to_row(event, info.table);
    rows.push_back(fmt::format("{} {} {} {}", row.channel_name, row.segment, row.onset_sample,
                               *row.offset_sample));
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"Stimulus/S  1 0 2 3", "Comment/a,b = ä 0 1 6",
                                            "Stimulus/S  1 1 2 2", "Response/ 1 13 13"}));
  EXPECT_EQ(info.table.stream.segments[1].start_s, Rational(10));
  ASSERT_EQ(info.warnings.size(), 1U);
  EXPECT_NE(info.warnings[0].find("1 markers belong to single channels"), std::string::npos);
}

TEST(BrainvisionEvents, NameTheMarkersThatCannotBeRead) {
  const ScratchFolder folder;
  const auto source = open_markers(folder,
                                   "Mk1=Stimulus\nMk2=Stimulus,S1,0,1,0\nMk3=Stimulus,S1,x,1,0\n"
                                   "Mk4=Stimulus,S1,1,-1,0\nMk5=Stimulus,S1,9223372036854775807,1\n"
                                   "Mk6=Stimulus,S1,99999999999999999999,1,0\nMk7=Stimulus,S1,1\n"
                                   "Mk8=Stimulus,S1,5,9223372036854775807,0\n");
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().count, 1);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("7 markers cannot be read, the first is mk1: 1 fields"),
            std::string::npos)
      << source->info().warnings[0];
}

TEST(BrainvisionEvents, OfARecordingWithoutMarkersAreNone) {
  const ScratchFolder folder;
  open_markers(folder, "");
  EXPECT_EQ(brainvision_format().list_events(folder / "a.vhdr", {}).at(0).count, 0);
  fs::remove(folder / "a.vmrk");
  EXPECT_TRUE(brainvision_format().list_events(folder / "a.vhdr", {}).empty());
  expect_error(ErrorCode::not_found, "brings no events",
               [&] { brainvision_format().open_events(folder / "a.eeg", {}); });
}

/// golden/make.py: mne.read_annotations.
TEST(BrainvisionEvents, AreThoseThatMneFinds) {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  const fs::path data = (folder != nullptr ? fs::path(folder)
                                           : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data") /
                        "brainvision/test.vhdr";
  if (!fs::exists(data)) {
    if (testing::is_required("data")) {
      FAIL() << "WEIR_REQUIRE has data, but there is none at " << data;
    }
    GTEST_SKIP() << "no file at " << data;
  }
  const Value expected = parse_json(testing::read_string(
      fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/brainvision/golden/markers.json"));
  const auto source = brainvision_format().open_events(data, {});
  testing::check_event_source(*source);
  const EventList events = testing::read_all_events(*source);
  const auto& rows = expected.at("markers").as_array();
  ASSERT_EQ(events.size(), rows.size());
  EXPECT_TRUE(source->info().warnings.empty());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventRow row = to_row(events[i], source->info().table);
    EXPECT_DOUBLE_EQ(row.onset_s, rows[i].as_array()[0].as_number());
    EXPECT_DOUBLE_EQ(row.duration_s.value(), rows[i].as_array()[1].as_number());
    EXPECT_EQ(row.channel_name, rows[i].as_array()[2].as_string());
  }
}

}  // namespace
}  // namespace weir::formats
