#include "weir/formats/kinds/edf/edf_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/edf/edf.h"
#include "weir/formats/kinds/edf/edf_annotations.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::ScratchFolder;

/// Annotation lists as they are written in the standard: | for a text's end, ~ for a duration, .
/// for nothing.
std::string lists(std::string text, std::size_t width) {
  for (char& c : text) {
    c = c == '|' ? '\x14' : c == '~' ? '\x15' : c == '/' ? '\0' : c;
  }
  text.resize(width, '\0');
  return text;
}

constexpr std::size_t kWidth = 96;

/// A file of records of one second: `samples` of a signal "a" (none: annotations only), then the
/// annotation signals' bytes.
std::string file_of(const std::string& reserved, int samples,
                    const std::vector<std::vector<std::string>>& records) {
  const std::size_t texts = records.empty() ? 1 : records[0].size();
  const std::size_t signals = texts + (samples > 0 ? 1 : 0);
  std::string bytes =
      fmt::format("{:<8}{:<80}{:<80}{:<8}{:<8}{:<8}{:<44}{:<8}{:<8}{:<4}", "0", "P", "", "29.02.04",
                  "23.59.58", 256 * (1 + signals), reserved, records.size(), "1", signals);
  const auto each = [&](std::size_t width, const std::string& signal, const std::string& text) {
    for (std::size_t i = 0; i < signals; ++i) {
      bytes += fmt::format("{:<{}}", samples > 0 && i == 0 ? signal : text, width);
    }
  };
  each(16, "a", "EDF Annotations");
  each(80, "", "");
  each(8, "uV", "");
  each(8, "-100", "-1");
  each(8, "100", "1");
  each(8, "-32768", "-32768");
  each(8, "32767", "32767");
  each(80, "", "");
  each(8, fmt::format("{}", samples), fmt::format("{}", kWidth / 2));
  each(32, "", "");
  for (const auto& record : records) {
    bytes += std::string(static_cast<std::size_t>(2 * samples), '\0');
    for (const auto& text : record) {
      bytes += lists(text, kWidth);
    }
  }
  return bytes;
}

std::unique_ptr<EventSource> open_bytes(const ScratchFolder& folder, const std::string& bytes) {
  testing::write_string(folder / "a.edf", bytes);
  return edf_format().open_events(folder / "a.edf", {});
}

fs::path test_data() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  return folder != nullptr ? fs::path(folder)
                           : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data";
}

TEST(EdfEvents, AreTheTextsOfEveryAnnotationSignal) {
  const ScratchFolder folder;
  const auto source =
      open_bytes(folder, file_of("EDF+C", 100,
                                 {{"+0.25||/+0.5~0.125|blink|/", "+0.75|Bl\xc3\xa9|\xe9t\xe9|/"},
                                  {"+1.25||a note|/", "+0.3~|no length|/+7|blink|/"}}));
  testing::check_event_source(*source);
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty());
  EXPECT_EQ(info.name, "annotations");
  EXPECT_EQ(info.kind, EventKind::annotations);
  EXPECT_EQ(info.count, 6);
  std::vector<std::string> rows;
  for (const auto& event : testing::read_all_events(*source)) {
    const EventRow row = to_row(event, info.table);
    rows.push_back(fmt::format("{} {} {} {}", row.channel_name, row.onset_sample,
                               *row.offset_sample, row.onset_s));
  }
  // The clock begins with the header's second, the samples 0.25 s later.
  EXPECT_EQ(rows,
            (std::vector<std::string>{"no length 5 5 0.3", "blink 25 38 0.5", "Blé 50 50 0.75",
                                      "été 50 50 0.75", "a note 100 100 1.25", "blink 675 675 7"}));
}

/// Case F1: records at 0, 1 and 10 s.
TEST(EdfEvents, LieInTheSegmentThatHadBegun) {
  const ScratchFolder folder;
  const auto source = open_bytes(
      folder,
      file_of("EDF+D", 100,
              {{"+0||/+1.5|a|/"}, {"+1||/+10.01|b|/+5|in the gap|/"}, {"+10||/-0.5|too early|/"}}));
  testing::check_event_source(*source);
  ASSERT_EQ(source->info().table.stream.segments.size(), 2U);
  EXPECT_EQ(source->info().table.stream.segments[1].start_s, Rational(10));
  const EventList events = testing::read_all_events(*source);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].onset, 500);
  EXPECT_EQ(events[1].segment, 0U);
  EXPECT_EQ(events[2].onset, 1);
  EXPECT_EQ(events[2].segment, 1U);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("1 annotation before the recording began"),
            std::string::npos);
}

TEST(EdfEvents, OfAFileWithoutSamplesCountMicroseconds) {
  const ScratchFolder folder;
  const auto source =
      open_bytes(folder, file_of("EDF+C", 0, {{"+0||/+30~30|Sleep stage W|/"}, {"+1||/"}}));
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().table.stream.rate, SampleRate::from_hz(1e6));
  EXPECT_EQ(source->info().table.stream.segments[0].frames, 2000000);
  const EventList events = testing::read_all_events(*source);
  EXPECT_EQ(events.at(0).onset, 30000000);
  EXPECT_EQ(events.at(0).offset, 60000000);
}

TEST(EdfEvents, NameTheListsThatCannotBeRead) {
  const ScratchFolder folder;
  const auto source = open_bytes(
      folder,
      file_of("EDF+C", 10,
              {{"+0||/+0.1|a|/"},
               {"+1||/0.2|no sign|/+|no number|/+1e999|far|/+0.3~-1|short|/+0.4~x|y|/text/"}}));
  EXPECT_EQ(source->info().count, 1);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find(
                "6 annotation lists cannot be read, the first in data record 1"),
            std::string::npos);
}

TEST(EdfEvents, OfAPlainFileAreNone) {
  const ScratchFolder folder;
  testing::write_string(folder / "a.edf", file_of("", 10, {{"+0||/"}}).replace(256 + 16, 3, "xyz"));
  EXPECT_TRUE(edf_format().list_events(folder / "a.edf", {}).empty());
  expect_error(ErrorCode::not_found, "brings no events",
               [&] { edf_format().open_events(folder / "a.edf", {}); });
}

TEST(EdfEvents, OfManyRecordsAreListedWithoutReadingThem) {
  const ScratchFolder folder;
  testing::write_string(
      folder / "a.edf",
      file_of("EDF+C", 1, std::vector<std::vector<std::string>>(5000, {"+0||/+1|a|/"})));
  const auto listed = edf_format().list_events(folder / "a.edf", {});
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_FALSE(listed[0].count);
  EXPECT_TRUE(listed[0].table.stream.channels.empty());
  EXPECT_EQ(edf_format().open_events(folder / "a.edf", {})->info().count, 5000);
}

TEST(EdfEvents, AreThoseThatMneFinds) {
  if (!fs::exists(test_data() / "edf/eeg.edf")) {
    if (testing::is_required("data")) {
      FAIL() << "WEIR_REQUIRE has data, but there is none at " << test_data();
    }
    GTEST_SKIP() << "no files at " << test_data() / "edf";
  }
  const Value expected = parse_json(testing::read_string(
      fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/edf/golden/events.json"));
  for (const auto& [file, rows] : expected.at("annotations").as_object()) {
    SCOPED_TRACE(file);
    const auto listed = edf_format().list_events(test_data() / "edf" / file, {});
    if (rows.as_array().empty()) {
      EXPECT_TRUE(listed.empty() || listed[0].name == "status" || listed[0].count == 0);
      continue;
    }
    const auto source =
        edf_format().open_events(test_data() / "edf" / file, {.stream = "annotations", .raw = {}});
    testing::check_event_source(*source);
    const auto& table = source->info().table;
    EXPECT_TRUE(source->info().warnings.empty());
    EXPECT_EQ(listed.at(0).count, std::ssize(rows.as_array()));
    const EventList events = testing::read_all_events(*source);
    ASSERT_EQ(events.size(), rows.as_array().size());
    std::vector<EventRow> found;
    for (const auto& event : events) {
      found.push_back(to_row(event, table));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const EventRow& a, const EventRow& b) { return a.onset_s < b.onset_s; });
    const double half = 0.5001 / table.stream.rate.hz();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& row = rows.as_array()[i].as_array();
      // MNE counts from the first sample, we from the header's second.
      const double start = table.stream.segments[0].start_s.to_double();
      EXPECT_NEAR(found[i].onset_s - start, row[0].as_number(), half);
      EXPECT_NEAR(found[i].duration_s.value(), row[1].as_number(), 2 * half);
      EXPECT_EQ(found[i].channel_name, row[2].as_string());
    }
  }
}

TEST(EdfEvents, OfTheStatusChannelAreTheEdgesOfItsBits) {
  if (!fs::exists(test_data() / "edf/eeg.bdf")) {
    if (testing::is_required("data")) {
      FAIL() << "WEIR_REQUIRE has data, but there is none at " << test_data();
    }
    GTEST_SKIP() << "no files at " << test_data() / "edf";
  }
  const Value expected = parse_json(testing::read_string(
      fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/edf/golden/events.json"));
  for (const auto& [file, rows] : expected.at("edges").as_object()) {
    SCOPED_TRACE(file);
    const auto source =
        edf_format().open_events(test_data() / "edf" / file, {.stream = "status", .raw = {}});
    testing::check_event_source(*source);
    const EventList events = testing::read_all_events(*source);
    ASSERT_EQ(events.size(), rows.as_array().size());
    EXPECT_EQ(source->info().count, std::ssize(events));
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto& row = rows.as_array()[i].as_array();
      EXPECT_EQ(events[i].onset, row[0].as_integer());
      EXPECT_EQ(events[i].channel, row[1].as_integer());
      EXPECT_EQ(events[i].polarity, row[2].as_integer());
    }
  }
}

TEST(EdfEvents, OfAFileCutAnywhereAreThoseBeforeTheCut) {
  const ScratchFolder folder;
  const std::string whole = file_of("EDF+C", 2, {{"+0||/+0.1|a|/"}, {"+1||/+0.2|b|/"}});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    testing::write_string(folder / "a.edf", whole.substr(0, length));
    testing::try_events(edf_format(), folder / "a.edf");
  }
  EXPECT_EQ(open_bytes(folder, whole.substr(0, whole.size() - 1))->info().count, 1);
}

}  // namespace
}  // namespace weir::formats
