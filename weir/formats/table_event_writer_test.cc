#include "weir/formats/table_event_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/formats/event_columns.h"
#include "weir/formats/event_source.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/arrow/arrow.h"
#include "weir/formats/kinds/csv/csv.h"
#include "weir/formats/kinds/parquet/parquet.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

/// Both kinds of file, with the format that writes them.
class TableEvents : public ::testing::TestWithParam<TableFile> {
 public:
  void SetUp() override {
    try {
      table_library();
    } catch (const Error& error) {
      if (testing::is_required("arrow")) {
        FAIL() << error.what();
      }
      GTEST_SKIP() << error.what();
    }
  }
  static const Format& format() {
    return GetParam() == TableFile::parquet ? parquet_format() : arrow_format();
  }
  std::string name() const { return "events" + std::string(format().extensions.front()); }
};

EventOutput output_at(const std::filesystem::path& path) {
  EventOutput output;
  output.path = path;
  output.table.stream.rate = SampleRate(Rational(750003, 25));
  output.table.stream.channels = make_channels(3, 0.195, 1, "uV");
  output.table.stream.channels[2].name = "Cz, \"tôp\"";
  output.table.stream.segments = {
      Segment{.frames = 1 << 30, .start_s = Rational(1, 10)},
      Segment{.frames = 1 << 30, .start_s = {}, .first_frame = 7, .index = 3}};
  return output;
}

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

void write_events(const Format& format, const EventOutput& output, const EventList& events) {
  const auto writer = format.create_events(output);
  writer->append(events);
  writer->commit("{}");
}

class FileBytes final : public TableBytes {
 public:
  explicit FileBytes(const std::filesystem::path& path) : file_(path) {}
  std::int64_t size() const override { return file_.size(); }
  void read(std::int64_t offset, std::span<std::byte> bytes) const override {
    file_.read(offset, bytes);
  }

 private:
  InputFile file_;
};

bool same(const ColumnValues& a, const ColumnValues& b) {
  return a.values == b.values && a.ends == b.ends && a.present == b.present;
}

TEST_P(TableEvents, HoldTheColumnsOfTheSpec) {
  const ScratchFolder folder;
  const auto output = output_at(folder / name());
  const EventList events = many(kEventGroupRows + 100);
  write_events(format(), output, events);

  const FileBytes bytes(output.path);
  const auto reader = table_library().reader(GetParam(), bytes, std::int64_t{64} << 20);
  const TableSchema expected = event_schema(output.table);
  EXPECT_EQ(reader->schema().columns, expected.columns);
  for (const auto& entry : expected.metadata) {
    EXPECT_NE(std::find(reader->schema().metadata.begin(), reader->schema().metadata.end(), entry),
              reader->schema().metadata.end())
        << entry.first;
  }
  ASSERT_EQ(reader->group_count(), 2);
  std::int64_t first = 0;
  for (std::int64_t group = 0; group < 2; ++group) {
    EventColumns rows(expected);
    const std::int64_t count = group == 0 ? kEventGroupRows : 100;
    for (std::int64_t i = first; i < first + count; ++i) {
      rows.append(to_row(events[static_cast<std::size_t>(i)], output.table));
    }
    first += count;
    EXPECT_EQ(reader->group_rows(group), count);
    const std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    reader->read(group, all, [&](const ColumnBatch& batch) {
      ASSERT_EQ(batch.rows, count);
      for (std::size_t column = 0; column < all.size(); ++column) {
        EXPECT_TRUE(same(batch.columns[column], rows.batch().columns[column])) << column;
      }
    });
    const std::vector<std::int64_t> few{9, 1};
    reader->read(group, few, [&](const ColumnBatch& batch) {
      ASSERT_EQ(batch.columns.size(), 2U);
      EXPECT_TRUE(same(batch.columns[0], rows.batch().columns[9]));
      EXPECT_TRUE(same(batch.columns[1], rows.batch().columns[1]));
    });
  }
}

TEST_P(TableEvents, AreReadBackAsTheEventsTheyWere) {
  const ScratchFolder folder;
  auto output = output_at(folder / name());
  EventList events = many(1000);
  for (const std::int64_t rows : {0, 1000}) {
    output.overwrite = true;
    write_events(format(), output, {events.begin(), events.begin() + rows});
    const auto source = format().open_events(output.path, {});
    const auto& stream = source->info().table.stream;
    EXPECT_TRUE(source->info().warnings.empty());
    EXPECT_EQ(stream.rate, output.table.stream.rate);
    EXPECT_EQ(stream.segments, output.table.stream.segments);
    ASSERT_EQ(stream.channels.size(), 3U);
    EXPECT_EQ(stream.channels[2].name, output.table.stream.channels[2].name);
    EXPECT_EQ(stream.channels[2].unit, "uV");
    EventList expected;
    for (std::int64_t i = 0; i < rows; ++i) {
      const Event& event = events[static_cast<std::size_t>(i)];
      expected.push_back(event);
      expected.back().peak_value = to_row(event, output.table).peak_value;
      expected.back().final = event.offset == Event::kOpen ? 1 << 30 : event.offset;
    }
    std::stable_sort(expected.begin(), expected.end(), &row_before_in_table);
    EXPECT_EQ(testing::read_all_events(*source), expected);
    testing::check_event_source(*source);
    EXPECT_EQ(format().list_events(output.path, {}).at(0).count, rows);
  }
}

TEST_P(TableEvents, HoldAnEmptyTable) {
  const ScratchFolder folder;
  const auto output = output_at(folder / name());
  write_events(format(), output, {});
  const FileBytes bytes(output.path);
  const auto reader = table_library().reader(GetParam(), bytes, std::int64_t{64} << 20);
  EXPECT_EQ(reader->group_count(), 0);
  EXPECT_EQ(reader->schema().columns, event_schema(output.table).columns);
}

TEST_P(TableEvents, ContinueAfterAKillToTheSameBytes) {
  const ScratchFolder folder;
  const EventList events = many(2 * kEventGroupRows + 500);
  write_events(format(), output_at(folder / "whole" / name()), events);
  const auto expected = testing::folder_content(folder / "whole");
  for (const std::ptrdiff_t done : {0, 100, 65536, 65537, 131500}) {
    auto output = output_at(folder / std::to_string(done) / name());
    {
      const auto writer = format().create_events(output);
      writer->append({events.begin(), events.begin() + done});
      output.resume_from = writer->save();
      writer->append({events.begin() + done, events.end()});
      writer->keep_partial();
    }
    const auto writer = format().create_events(output);
    EXPECT_FALSE(std::filesystem::exists(output.path));
    writer->append({events.begin() + done, events.end()});
    writer->finish();
    writer->commit("{}");
    EXPECT_EQ(testing::folder_content(output.path.parent_path()), expected) << done;
  }
}

TEST_P(TableEvents, RefuseACheckpointThatIsCutShort) {
  const ScratchFolder folder;
  auto output = output_at(folder / name());
  {
    const auto writer = format().create_events(output);
    writer->append(many(10));
    output.resume_from = writer->save();
    writer->keep_partial();
  }
  output.resume_from.pop_back();
  expect_error(ErrorCode::corrupt_data, "checkpoint", [&] { format().create_events(output); });
}

TEST_P(TableEvents, LeaveNothingBehindAndRefuseAnExistingTable) {
  const ScratchFolder folder;
  {
    const auto writer = format().create_events(output_at(folder / name()));
    writer->append(many(10));
  }
  EXPECT_TRUE(testing::folder_content(folder.path()).empty());
  testing::write_string(folder / name(), "precious");
  expect_error(ErrorCode::output_exists, "--overwrite",
               [&] { format().create_events(output_at(folder / name())); });
  auto again = output_at(folder / name());
  again.overwrite = true;
  write_events(format(), again, many(3));
  EXPECT_NE(testing::read_string(folder / name()), "precious");
}

TEST_P(TableEvents, AreFoundByTheirFirstBytes) {
  const ScratchFolder folder;
  write_events(format(), output_at(folder / name()), many(3));
  const std::string text = testing::read_string(folder / name());
  const auto head = std::as_bytes(std::span(text));
  EXPECT_EQ(format().probe("any.bin", head), Match::certain);
  EXPECT_EQ(format().probe(name(), {}), Match::by_name);
  EXPECT_EQ(format().probe("any.bin", {}), Match::no);
}

/// tests/peers/table_peers.py reads these with other programs, beside the same rows as text.
TEST_P(TableEvents, AreWrittenForOtherPrograms) {
  const char* folder = std::getenv("WEIR_PEERS_FOLDER");
  if (folder == nullptr) {
    GTEST_SKIP() << "WEIR_PEERS_FOLDER names no folder to write into";
  }
  for (const std::int64_t count : {0, 10, 70000, 200000}) {
    const std::filesystem::path stem =
        std::filesystem::path(folder) / ("events-" + std::to_string(count));
    write_events(format(), output_at(stem.string() + std::string(format().extensions.front())),
                 many(count));
    auto text = output_at(stem.string() + ".csv");
    text.overwrite = true;
    write_events(csv_format(), text, many(count));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TableEvents,
                         ::testing::Values(TableFile::parquet, TableFile::arrow_ipc),
                         [](const auto& parameter) {
                           return parameter.param == TableFile::parquet ? "Parquet" : "ArrowIpc";
                         });

}  // namespace
}  // namespace weir::formats
