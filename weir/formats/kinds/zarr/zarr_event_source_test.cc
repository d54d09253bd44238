#include "weir/formats/kinds/zarr/zarr_event_source.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

EventOutput output_at(const std::filesystem::path& path) {
  EventOutput output;
  output.path = path;
  output.table.stream.rate = SampleRate(Rational(750003, 25));
  output.table.stream.channels = make_channels(3);
  output.table.stream.channels[1].name = "Cz \"top\"";
  output.table.stream.segments = {
      Segment{.frames = 1000, .start_s = Rational(1, 10)},
      Segment{.frames = 5000000, .start_s = Rational(5, 3), .first_frame = 7, .index = 3}};
  return output;
}

EventList many(std::int64_t count) {
  EventList events;
  for (std::int64_t i = 0; i < count; ++i) {
    events.push_back({.onset = 10 * i,
                      .offset = 10 * i + i % 5,
                      .peak = 10 * i + 1,
                      .final = 10 * i + i % 5,
                      .peak_value = static_cast<float>(i) / 3,
                      .channel = static_cast<std::int32_t>(i % 3),
                      .segment = i < 9 ? 0U : 1U,
                      .polarity = static_cast<std::int8_t>(i % 2 == 0 ? 1 : -1)});
  }
  return events;
}

void write_events(const EventOutput& output, const EventList& events) {
  const auto writer = zarr_format().create_events(output);
  writer->append(events);
  writer->commit("{}");
}

void change_attributes(const std::filesystem::path& group, const std::string& key, Value value) {
  Value document = parse_json(testing::read_string(group / "zarr.json"));
  document.find("attributes")->set(key, std::move(value));
  testing::write_string(group / "zarr.json", to_json(document));
}

TEST(ZarrEventSource, GivesBackWhatWasWritten) {
  const ScratchFolder folder;
  const auto output = output_at(folder / "spikes.zarr");
  write_events(output, many(70000));
  const auto source = zarr_format().open_events(output.path, {});
  testing::check_event_source(*source);
  EXPECT_EQ(testing::read_all_events(*source), many(70000));
  const auto& info = source->info();
  EXPECT_EQ(info.name, "spikes");
  EXPECT_EQ(info.table.stream.rate, output.table.stream.rate);
  EXPECT_EQ(info.table.stream.segments, output.table.stream.segments);
  EXPECT_EQ(info.table.stream.channels, output.table.stream.channels);
  EXPECT_TRUE(info.warnings.empty());
}

TEST(ZarrEventSource, ListsTheGroupsOfAStore) {
  const ScratchFolder folder;
  write_events(output_at(folder / "rec.zarr/events/b"), many(5));
  write_events(output_at(folder / "rec.zarr/events/a"), many(2));
  std::filesystem::create_directory_symlink(folder / "rec.zarr/events/a",
                                            folder / "rec.zarr/events/c");
  const auto listed = zarr_format().list_events(folder / "rec.zarr", {});
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].name, "a");
  EXPECT_EQ(listed[1].count, 5);
  EXPECT_EQ(zarr_format().list_events(folder / "rec.zarr/events/b", {}).size(), 1U);
  EXPECT_EQ(
      zarr_format().open_events(folder / "rec.zarr", {.stream = "b", .raw = {}})->info().count, 5);
  expect_error(ErrorCode::invalid_spec, "say which of a, b",
               [&] { zarr_format().open_events(folder / "rec.zarr", {}); });
  expect_error(ErrorCode::not_found, "brings no events",
               [&] { zarr_format().open_events(folder / "rec.zarr/events", {}); });
}

/// A group of an older program: its rows lie on the clock of the recording around it.
TEST(ZarrEventSource, TakesSegmentsFromTheRecordingAround) {
  const ScratchFolder folder;
  const auto recording = testing::awkward_output(folder / "rec.zarr", SampleType::int16, 3);
  const auto writer = zarr_format().create(recording);
  for (std::int64_t s = 0; s < 3; ++s) {
    testing::append_samples(*writer, recording, 0, false, s, 0,
                            recording.stream.segments[s].frames);
    writer->end_segment();
  }
  writer->commit("{}");
  auto output = output_at(folder / "rec.zarr/events/spikes");
  output.table.stream = recording.stream;
  EventList events = many(9);
  events[8].segment = 2;
  write_events(output, events);
  for (const bool stated : {true, false}) {
    if (!stated) {
      Value document = parse_json(testing::read_string(output.path / "zarr.json"));
      auto& attributes = document.find("attributes")->as_object();
      std::erase_if(attributes, [](const auto& member) { return member.first == "segments"; });
      testing::write_string(output.path / "zarr.json", to_json(document));
    }
    const auto source = zarr_format().open_events(folder / "rec.zarr", {});
    testing::check_event_source(*source);
    ASSERT_EQ(source->info().table.stream.segments.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(source->info().table.stream.segments[i].start_s,
                recording.stream.segments[i].start_s);
    }
  }
  change_attributes(
      output.path, "segments",
      parse_json(R"([{"index": 0, "start_s": [0, 1], "samples": 9, "first_sample": 0}])"));
  expect_error(ErrorCode::corrupt_data, "row 8: segment: 2 is none of 1",
               [&] { zarr_format().open_events(folder / "rec.zarr", {}); });
}

/// The five columns and attributes of survey/dspk.md 1.7.
TEST(ZarrEventSource, ReadsTheGroupsOfDspk) {
  const ScratchFolder folder;
  const auto path = folder / "rec.dspk.zarr/events/spikes";
  auto output = output_at(path);
  output.table.stream.segments.resize(1);
  EventList events = many(9);
  write_events(output, events);
  Value document = parse_json(testing::read_string(path / "zarr.json"));
  document.set("attributes", parse_json(R"({"dspk_events": 1, "sample_rate_hz": 30000.12,
                                           "channel_names": ["a", "b", "c"]})"));
  testing::write_string(path / "zarr.json", to_json(document));
  std::filesystem::remove_all(path / "segment");
  std::filesystem::remove_all(path / "polarity");
  const auto source = zarr_format().open_events(folder / "rec.dspk.zarr", {});
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().count, 9);
  EXPECT_EQ(source->info().table.stream.channels[2].name, "c");
  EXPECT_EQ(testing::read_all_events(*source)[3].onset, 30);
  EXPECT_EQ(testing::read_all_events(*source)[3].polarity, 0);
}

TEST(ZarrEventSource, NamesWhatIsDamaged) {
  const ScratchFolder folder;
  const auto path = folder / "spikes.zarr";
  write_events(output_at(path), many(10));
  const std::string before = testing::read_string(path / "zarr.json");
  const auto refuses = [&](const std::string& key, const std::string& json,
                           const std::string& part) {
    change_attributes(path, key, parse_json(json));
    expect_error(ErrorCode::corrupt_data, part, [&] { zarr_format().open_events(path, {}); });
    expect_error(ErrorCode::corrupt_data, part, [&] { zarr_format().list_events(path, {}); });
    testing::write_string(path / "zarr.json", before);
  };
  refuses("sample_rate_hz", "0", "sample_rate_hz");
  refuses("sample_rate_hz", "-5", "sample_rate_hz");
  refuses("sample_rate_hz", "\"x\"", "sample_rate_hz");
  refuses("channel_names", "3", "channel_names");
  refuses("channel_names", "[3]", "channel_names");
  refuses("segments", "3", "segments");
  refuses("segments", R"([{"index": 0}])", "segments: [0]: ");
  refuses("segments", R"([{"index": 0, "start_s": [1, 0], "samples": 9, "first_sample": 0}])",
          "segments: [0]: ");
  refuses("segments", R"([{"index": 0, "start_s": [0, 1], "samples": -9, "first_sample": 0}])",
          "samples -9");
  refuses("segments",
          R"([{"index": 0, "start_s": [0, 1], "samples": 9, "first_sample": 0},
              {"index": 0, "start_s": [0, 1], "samples": 9, "first_sample": 0}])",
          "segment 0 is there twice");
  std::filesystem::remove(path / "peak_value/c/0");
  expect_error(ErrorCode::corrupt_data, "chunks are missing",
               [&] { zarr_format().open_events(path, {}); });
  std::filesystem::remove_all(path / "channel");
  expect_error(ErrorCode::not_found, "channel", [&] { zarr_format().list_events(path, {}); });
}

TEST(ZarrEventSource, RefusesMoreRowsThanItHolds) {
  const ScratchFolder folder;
  const auto path = folder / "spikes.zarr";
  write_events(output_at(path), many(10));
  for (const char* column : {"channel", "onset_sample", "offset_sample", "peak_sample",
                             "peak_value", "segment", "polarity"}) {
    Value document = parse_json(testing::read_string(path / column / "zarr.json"));
    document.set("shape", parse_json("[100000000]"));
    testing::write_string(path / column / "zarr.json", to_json(document));
  }
  EXPECT_EQ(zarr_format().list_events(path, {})[0].count, 100000000);
  expect_error(ErrorCode::unsupported, "100,000,000 rows, at most 67,108,864 are held",
               [&] { zarr_format().open_events(path, {}); });
}

}  // namespace
}  // namespace weir::formats
