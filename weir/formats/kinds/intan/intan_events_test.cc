#include "weir/formats/kinds/intan/intan_events.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/intan/intan.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/intan/golden" / name;
}

TEST(IntanEvents, AreTheEdgesThatNeoReads) {
  const Value cases = parse_json(testing::read_string(golden("events.json"))).at("edges");
  for (const auto& [file, rows] : cases.as_object()) {
    SCOPED_TRACE(file);
    const auto source =
        intan_format().open_events(golden(file), {.stream = "digitalin", .raw = {}});
    testing::check_event_source(*source);
    const auto& lines = source->info().table.stream.channels;
    ASSERT_EQ(lines.size(), 16U);
    EXPECT_EQ(lines[0].name, "DIGITAL-IN-00");
    EXPECT_EQ(lines[15].name, "DIGITAL-IN-15");
    EventList first = testing::read_all_events(*source);
    EXPECT_EQ(source->info().count, std::ssize(first));
    std::erase_if(first, [](const Event& event) { return event.channel != 0; });
    ASSERT_EQ(first.size(), rows.as_array().size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].onset, rows.as_array()[i].as_array()[0].as_integer());
      EXPECT_EQ(first[i].polarity, rows.as_array()[i].as_array()[1].as_integer());
    }
  }
}

TEST(IntanEvents, LieInTheSegmentsOfTheRecording) {
  const auto listed = intan_format().list_events(golden("gap.rhd"), {});
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].name, "digitalin");
  EXPECT_EQ(listed[0].kind, EventKind::ttl);
  EXPECT_EQ(listed[0].table.stream.segments.size(), 2U);
  const auto source = intan_format().open_events(golden("gap.rhd"), {});
  testing::check_event_source(*source);
  EXPECT_EQ(testing::read_all_events(*source).back().segment, 1U);
}

TEST(IntanEvents, OfARecordingWithoutWordsAreNone) {
  EXPECT_TRUE(intan_format().list_events(golden("channels"), {}).empty());
  expect_error(ErrorCode::not_found, "brings no events",
               [] { intan_format().open_events(golden("channels"), {}); });
  expect_error(ErrorCode::not_found, "none.rhd",
               [] { intan_format().list_events(golden("none.rhd"), {}); });
}

}  // namespace
}  // namespace weir::formats
