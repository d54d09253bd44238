#include "weir/formats/kinds/wfdb/wfdb_events.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/wfdb/wfdb.h"
#include "weir/formats/kinds/wfdb/wfdb_annotations.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::ScratchFolder;

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/wfdb/golden" / name;
}

/// Words of an annotation file.
std::string words(const std::vector<unsigned>& list) {
  std::string bytes;
  for (const unsigned word : list) {
    bytes += static_cast<char>(word & 255U);
    bytes += static_cast<char>(word >> 8U & 255U);
  }
  return bytes;
}
unsigned word(unsigned type, unsigned value) {
  return type << 10U | value;
}
WfdbAnnotations read(const std::string& bytes) {
  return read_wfdb_annotations(std::as_bytes(std::span(bytes)));
}

/// golden/make.py: wfdb.rdann, of record 100's beats and of a file with every kind of field.
TEST(WfdbEvents, AreThoseThatWfdbReads) {
  const Value expected = parse_json(testing::read_string(golden("annotations.json")));
  for (const auto& [file, rows] : expected.as_object()) {
    SCOPED_TRACE(file);
    const auto source = FormatList({&wfdb_format()}).open_events(golden(file), {});
    testing::check_event_source(*source);
    const auto& info = source->info();
    const EventList events = testing::read_all_events(*source);
    ASSERT_EQ(events.size(), rows.as_array().size());
    EXPECT_EQ(info.kind, EventKind::annotations);
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto& row = rows.as_array()[i].as_array();
      const std::string& text = row[2].as_string();
      EXPECT_EQ(events[i].onset, row[0].as_integer());
      EXPECT_EQ(events[i].offset, events[i].onset);
      EXPECT_EQ(info.table.stream.channels[events[i].channel].name,
                row[1].as_string() + (text.empty() ? "" : " " + text));
    }
  }
}

TEST(WfdbEvents, AreListedByAnnotator) {
  const auto beats = wfdb_format().list_events(golden("100.hea"), {});
  ASSERT_EQ(beats.size(), 1U);
  EXPECT_EQ(beats[0].name, "atr");
  EXPECT_EQ(beats[0].count, 2273);
  EXPECT_TRUE(beats[0].warnings.empty());
  EXPECT_EQ(beats[0].table.stream.rate, SampleRate::from_hz(360));
  EXPECT_EQ(beats[0].table.stream.segments[0].frames, 650000);
  // A clock of its own, twice as fast as the record's.
  const auto other = wfdb_format().list_events(golden("a.hea"), {});
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0].table.stream.rate, SampleRate::from_hz(500));
  EXPECT_EQ(other[0].table.stream.segments[0].frames, 2000000);
  ASSERT_EQ(other[0].warnings.size(), 1U);
  EXPECT_NE(other[0].warnings[0].find("of 6 annotations are not kept"), std::string::npos)
      << other[0].warnings[0];
  expect_error(ErrorCode::not_found, "no events called \"qrs\"; there are atr",
               [] { wfdb_format().open_events(golden("100.hea"), {.stream = "qrs", .raw = {}}); });
}

TEST(WfdbEvents, KnowTheWordsOfTheFormat) {
  std::string own;
  for (const std::string text :
       {"## annotation type definitions", "42 x an own letter", "## end of definitions"}) {
    own += words({word(22, 0), word(63, static_cast<unsigned>(text.size()))}) + text +
           std::string(text.size() % 2, '\0');
  }
  const auto found = read(
      own +
      words({word(1, 5), word(61, 3), word(42, 1023), word(59, 0), 0x0001, 0x0002, word(43, 4),
             word(0, 9), word(59, 0), 0xffff, 0xfffe, word(14, 0), word(60, 7), word(5, 1), 0}) +
      "behind the end");
  std::vector<std::pair<std::string, std::int64_t>> rows;
  for (const auto& row : found.rows) {
    rows.emplace_back(row.label, row.sample);
  }
  using Rows = std::vector<std::pair<std::string, std::int64_t>>;
  EXPECT_EQ(rows, (Rows{{"N", 5}, {"x", 1028}, {"code 43", 66570}, {"~", 66577}, {"V", 66578}}));
  EXPECT_EQ(found.plain, 3);
  EXPECT_EQ(found.damage, "");
}

TEST(WfdbEvents, SayWhereAFileEndsTooEarly) {
  const std::string whole =
      words({word(1, 5), word(59, 0), 1, 2, word(22, 1), word(63, 3)}) + "abc" + '\0' + words({0});
  EXPECT_EQ(read(whole).damage, "");
  EXPECT_EQ(read(whole).rows[1].label, "\" abc");
  for (std::size_t length = 0; length < whole.size() - 1; ++length) {
    EXPECT_NE(read(whole.substr(0, length)).damage.find("ends"), std::string::npos) << length;
  }
  EXPECT_EQ(read(whole.substr(0, 7)).damage, "ends inside a long interval, after 7 bytes");
  EXPECT_EQ(read(whole.substr(0, 14)).damage, "ends inside a text, after 14 bytes");
  EXPECT_EQ(read(whole.substr(0, 14)).rows.size(), 2U);
}

TEST(WfdbEvents, LeaveOutWhatIsBeforeTheRecord) {
  const ScratchFolder folder;
  fs::copy_file(golden("100.hea"), folder / "100.hea");
  testing::write_string(folder / "100.ann",
                        words({word(59, 0), 0xffff, 0xff00, word(1, 0), word(1, 300), 0}));
  const auto source = wfdb_format().open_events(folder / "100.hea", {});
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().count, 1);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("1 annotations before the first sample"),
            std::string::npos);
  fs::remove(folder / "100.hea");
  expect_error(ErrorCode::not_found, "100.hea",
               [&] { wfdb_format().open_events(folder / "100.ann", {}); });
  EXPECT_TRUE(wfdb_format().list_events(golden("none.hea"), {}).empty());
}

}  // namespace
}  // namespace weir::formats
