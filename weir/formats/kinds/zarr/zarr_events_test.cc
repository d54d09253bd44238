#include <gtest/gtest.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/formats/kinds/zarr/zarr_event_columns.h"
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
  output.table.stream.channels = make_channels(3, 0.195, 1, "uV");
  output.table.stream.segments = {
      Segment{.frames = 1000000, .start_s = Rational(1, 10)},
      Segment{.frames = 1000000, .start_s = {}, .first_frame = 7, .index = 3}};
  return output;
}

/// Enough events to fill a chunk and part of the next.
EventList many(std::int64_t count) {
  EventList events;
  for (std::int64_t i = 0; i < count; ++i) {
    events.push_back({.onset = 10 * i,
                      .offset = i % 5 == 0 ? Event::kOpen : 10 * i + 4,
                      .peak = 10 * i + 1,
                      .final = 10 * i + 4,
                      .peak_value = static_cast<float>(i) / 3,
                      .channel = static_cast<std::int32_t>(i % 3),
                      .segment = static_cast<std::uint32_t>(i % 2),
                      .polarity = static_cast<std::int8_t>(i % 2 == 0 ? 1 : -1)});
  }
  return events;
}

void write_events(const EventOutput& output, const EventList& events) {
  const auto writer = zarr_format().create_events(output);
  writer->append(events);
  writer->commit("{}");
}

TEST(ZarrEvents, ReadsBackWhatIsWritten) {
  const ScratchFolder folder;
  const auto output = output_at(folder / "spikes.zarr");
  const EventList events = many(70000);
  write_events(output, events);
  const ZarrEvents read = read_zarr_events(output.path);
  EXPECT_EQ(read.sample_rate_hz, 30000.12);
  EXPECT_EQ(read.channel_names, (std::vector<std::string>{"ch0", "ch1", "ch2"}));
  ASSERT_EQ(read.rows.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventRow expected = to_row(events[i], output.table);
    ASSERT_EQ(read.rows[i].channel, expected.channel);
    ASSERT_EQ(read.rows[i].channel_name, expected.channel_name);
    ASSERT_EQ(read.rows[i].onset_sample, expected.onset_sample);
    ASSERT_EQ(read.rows[i].offset_sample, expected.offset_sample);
    ASSERT_EQ(read.rows[i].peak_sample, expected.peak_sample);
    ASSERT_EQ(read.rows[i].peak_value, expected.peak_value);
    ASSERT_EQ(read.rows[i].segment, expected.segment);
    ASSERT_EQ(read.rows[i].polarity, expected.polarity);
  }
}

TEST(ZarrEvents, HoldsAnEmptyTable) {
  const ScratchFolder folder;
  write_events(output_at(folder / "spikes.zarr"), {});
  EXPECT_TRUE(read_zarr_events(folder / "spikes.zarr").rows.empty());
  expect_error(ErrorCode::unsupported, "holds an event table",
               [&] { zarr_format().open(folder / "spikes.zarr", {}); });
}

TEST(ZarrEvents, CountTheirLastChunkBeforeTheyAreCommitted) {
  const ScratchFolder folder;
  write_events(output_at(folder / "whole" / "spikes.zarr"), many(10));
  auto output = output_at(folder / "killed" / "spikes.zarr");
  std::int64_t bytes = 0;
  {
    const auto writer = zarr_format().create_events(output);
    writer->append(many(10));
    writer->finish();
    bytes = writer->bytes_written();
    EXPECT_GT(bytes, 0);
    output.resume_from = writer->save();
    writer->keep_partial();
  }
  const auto writer = zarr_format().create_events(output);
  EXPECT_EQ(writer->bytes_written(), bytes);
  writer->commit("{}");
  EXPECT_EQ(testing::folder_content(folder / "killed"), testing::folder_content(folder / "whole"));
}

TEST(ZarrEvents, ContinuesAfterAKill) {
  const ScratchFolder folder;
  const EventList events = many(70000);
  write_events(output_at(folder / "whole" / "spikes.zarr"), events);
  const auto expected = testing::folder_content(folder / "whole");
  for (const std::ptrdiff_t done : {0, 100, 65536, 69999}) {
    auto output = output_at(folder / std::to_string(done) / "spikes.zarr");
    {
      const auto writer = zarr_format().create_events(output);
      writer->append({events.begin(), events.begin() + done});
      output.resume_from = writer->save();
      writer->append({events.begin() + done, events.end()});
      writer->keep_partial();
    }
    const auto writer = zarr_format().create_events(output);
    writer->append({events.begin() + done, events.end()});
    writer->commit("{}");
    EXPECT_EQ(testing::folder_content(folder / std::to_string(done)), expected) << done;
  }
}

TEST(ZarrEvents, AreCommittedIntoAStoreThatWasItselfReplaced) {
  const ScratchFolder folder;
  auto recording = testing::awkward_output(folder / "rec.zarr", SampleType::int16, 3);
  recording.overwrite = true;
  const auto output = output_at(folder / "rec.zarr" / "events" / "spikes");
  const auto events = zarr_format().create_events(output);
  events->append(many(10));
  events->save();
  const auto writer = zarr_format().create(recording);
  for (std::int64_t s = 0; s < 3; ++s) {
    testing::append_samples(*writer, recording, 0, false, s, 0,
                            recording.stream.segments[s].frames);
    writer->end_segment();
  }
  writer->commit("{}");
  events->commit("{}");
  EXPECT_EQ(read_zarr_events(output.path).rows.size(), 10U);
  EXPECT_TRUE(std::filesystem::exists(folder / "rec.zarr/events/zarr.json"));
  EXPECT_EQ(testing::read_string(folder / "rec.zarr/events/spikes.weir.json"), "{}");
  const auto source = zarr_format().open(folder / "rec.zarr", {});
  EXPECT_EQ(source->info().total_frames(), 534);
  EXPECT_TRUE(source->info().warnings.empty());
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    left.push_back(entry.path().filename().string());
  }
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"rec.zarr", "rec.zarr.weir.json"}));
}

TEST(ZarrEvents, MakesTheStoreThatIsNotThere) {
  const ScratchFolder folder;
  write_events(output_at(folder / "new.zarr" / "events" / "spikes"), many(2));
  EXPECT_TRUE(std::filesystem::exists(folder / "new.zarr/zarr.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "new.zarr/events/zarr.json"));
}

TEST(ZarrEvents, LeaveNothingBehindWhenTheirWriterDies) {
  const ScratchFolder folder;
  {
    const auto writer =
        zarr_format().create_events(output_at(folder / "rec.zarr" / "events" / "a"));
    writer->append(many(70000));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ZarrEvents, NameWhatIsDamaged) {
  const ScratchFolder folder;
  const auto path = folder / "spikes.zarr";
  write_events(output_at(path), many(10));
  const auto changed = [&](const std::string& file, const std::string& key, Value value) {
    const std::string before = testing::read_string(path / file);
    Value document = parse_json(before);
    document.set(key, std::move(value));
    testing::write_string(path / file, to_json(document));
    return before;
  };
  std::string before = changed("segment/zarr.json", "shape", parse_json("[9]"));
  expect_error(ErrorCode::corrupt_data, "segment has not 10 rows", [&] { read_zarr_events(path); });
  testing::write_string(path / "segment/zarr.json", before);
  before = changed("channel/zarr.json", "data_type", "int16");
  expect_error(ErrorCode::corrupt_data, "is no column", [&] { read_zarr_events(path); });
  testing::write_string(path / "channel/zarr.json", before);
  changed("zarr.json", "attributes",
          parse_json(R"({"weir_events": 1, "sample_rate_hz": 1, "channel_names": ["a"]})"));
  expect_error(ErrorCode::corrupt_data, "names channel 1 of 1", [&] { read_zarr_events(path); });
  changed("zarr.json", "attributes", parse_json(R"({"weir_events": 2})"));
  expect_error(ErrorCode::unsupported, "weir_events: version 2", [&] { read_zarr_events(path); });
}

}  // namespace
}  // namespace weir::formats
