#include "weir/cli/event_copy.h"

#include <gtest/gtest.h>

#include "weir/catalog/catalog.h"
#include "weir/cli/event_summary.h"
#include "weir/core/error.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;
using formats::EventKind;
using formats::EventStreamInfo;
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_string;

EventStreamInfo stream(const std::string& name, EventKind kind, std::optional<std::int64_t> count) {
  EventStreamInfo info;
  info.name = name;
  info.format = "test";
  info.kind = kind;
  info.count = count;
  info.table.stream.rate = SampleRate::from_hz(1000);
  return info;
}

/// A BrainVision recording of ten samples with two markers.
fs::path recording(const ScratchFolder& folder) {
  write_string(folder / "a.vhdr",
               "BrainVision Data Exchange Header File Version 1.0\n[Common Infos]\nDataFile=a.eeg\n"
               "MarkerFile=a.vmrk\nDataOrientation=MULTIPLEXED\nNumberOfChannels=1\n"
               "SamplingInterval=1000\n[Binary Infos]\nBinaryFormat=INT_16\n[Channel Infos]\n"
               "Ch1=Fz,,0.5,uV\n");
  write_string(folder / "a.vmrk", "x\n[Marker Infos]\nMk1=Stimulus,S1,3,1,0\nMk2=Note,b,6,0,0\n");
  write_string(folder / "a.eeg", std::string(20, '\1'));
  return folder / "a.vhdr";
}

TEST(EventCopy, OpensWhatAPathBrings) {
  const ScratchFolder folder;
  const auto& formats = catalog::formats();
  const auto both = open_path(formats, recording(folder), {}, "");
  EXPECT_TRUE(both.recording);
  ASSERT_EQ(both.events.size(), 1U);
  EXPECT_EQ(both.events[0].count, 2);
  write_string(folder / "t.csv", "channel,onset_sample,onset_s\n0,0,0\n1,10,0.01\n");
  const auto table = open_path(formats, folder / "t.csv", {}, "");
  EXPECT_FALSE(table.recording);
  EXPECT_EQ(table.events.at(0).count, 2);
  write_string(folder / "bad.csv", "a,b\n");
  expect_error(ErrorCode::corrupt_data, "is no event table",
               [&] { open_path(formats, folder / "bad.csv", {}, ""); });
  expect_error(ErrorCode::not_found, "none.csv",
               [&] { open_path(formats, folder / "none.csv", {}, ""); });
  expect_error(ErrorCode::invalid_spec, "\"x\" is not known",
               [&] { open_path(formats, folder / "t.csv", {}, "x"); });
}

TEST(EventCopy, PutsStreamsIntoAStoreOrBesideAFile) {
  const std::vector<EventStreamInfo> streams{
      stream("Probe.A/TTL", EventKind::ttl, 5), stream("../x", EventKind::annotations, {}),
      stream("_x", EventKind::annotations, 1), stream("sync", EventKind::ttl, {}),
      stream("..", EventKind::table, 1)};
  const auto inside = plan_event_copies(streams, "out/rec.zarr");
  ASSERT_EQ(inside.size(), 4U);  // The lines of words are channels already.
  EXPECT_EQ(inside[0].path, "out/rec.zarr/events/Probe.A.TTL");
  EXPECT_EQ(inside[1].path, "out/rec.zarr/events/x");
  EXPECT_EQ(inside[2].path, "out/rec.zarr/events/_x");
  EXPECT_EQ(inside[3].path, "out/rec.zarr/events/events");
  EXPECT_EQ(plan_event_copies(streams, "out/rec.bin")[0].path, "out/rec.bin.Probe.A.TTL.csv");
  const auto twice = plan_event_copies({streams[2], streams[2]}, "a.bin");
  EXPECT_EQ(twice[1].path, "a.bin._x_2.csv");
}

TEST(EventCopy, KeepsEveryRow) {
  const ScratchFolder folder;
  const auto& formats = catalog::formats();
  EventCopy copy{.stream = "", .path = folder / "rec.zarr" / "events" / "markers"};
  copy_events(formats, recording(folder), {}, false, copy);
  EXPECT_EQ(copy.rows, 2);
  EXPECT_EQ(copy.stream, "markers");
  const auto source = formats.open_events(folder / "rec.zarr/events/markers", {});
  EventCopy back{.stream = "", .path = folder / "b.csv"};
  copy_events(formats, folder / "rec.zarr/events/markers", {}, false, back);
  EXPECT_EQ(
      testing::read_string(folder / "b.csv"),
      "channel,channel_name,onset_sample,offset_sample,peak_sample,peak_value,onset_s,"
      "offset_s,duration_s,segment,polarity\r\n"
      "0,Stimulus/S1,2,3,2,0,0.002,0.003,0.001,0,1\r\n1,Note/b,5,5,5,0,0.005,0.005,0,0,1\r\n");
  EXPECT_NE(testing::read_string(folder / "b.csv.weir.json").find("\"rows\": 2"),
            std::string::npos);
  EventCopy again{.stream = "", .path = folder / "b.csv"};
  expect_error(ErrorCode::output_exists, "--overwrite",
               [&] { copy_events(formats, folder / "rec.zarr/events/markers", {}, false, again); });
}

TEST(EventCopy, IsSummedUp) {
  EXPECT_EQ(event_lines({}), "");
  auto known = stream("markers", EventKind::annotations, 1234);
  known.table.stream.channels = make_channels(8);
  const auto unread = stream("annotations", EventKind::annotations, {});
  EXPECT_EQ(
      event_lines({known, unread}),
      "\nevents       kind         number                       counted at  labels\n"
      "markers      annotations  1,234                        1000 Hz     ch0, ch1, ch2, ch3, "
      "ch4, ch5, … 8 in all\n"
      "annotations  annotations  unknown without reading all  1000 Hz     not read\n");
  const Value json = events_json({known, unread});
  EXPECT_EQ(json.as_array()[0].at("count").as_integer(), 1234);
  EXPECT_EQ(json.as_array()[0].at("labels").as_array().size(), 8U);
  EXPECT_TRUE(json.as_array()[1].at("count").is_null());
  EXPECT_TRUE(json.as_array()[1].at("labels").is_null());
}

}  // namespace
}  // namespace weir::cli
