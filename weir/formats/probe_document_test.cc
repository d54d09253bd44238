#include "weir/formats/probe_document.h"

#include <gtest/gtest.h>

#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {

std::map<std::int64_t, ProbeContact> contacts_of(const std::string& probe) {
  return read_probe_document(parse_json("{\"probes\": [" + probe + "]}"));
}

TEST(ProbeDocument, GivesEachChannelTheContactThatIsWiredToIt) {  // Case G13.
  const auto contacts = contacts_of(
      R"({"si_units": "um", "contact_positions": [[2, 20], [0, 0], [1, 10]], "contact_ids": ["2", "0", "1"],
          "device_channel_indices": [1, 2, 0], "shank_ids": ["c", "a", "b"]})");
  ASSERT_EQ(contacts.size(), 3U);
  EXPECT_EQ(contacts.at(0).position, (std::array<double, 3>{1, 10, 0}));
  EXPECT_EQ(contacts.at(1).position, (std::array<double, 3>{2, 20, 0}));
  EXPECT_EQ(contacts.at(2).shank, "a");
}

TEST(ProbeDocument, ReadsUnitsUnconnectedContactsAndSeveralProbes) {
  const auto contacts = contacts_of(
      R"({"si_units": "mm", "contact_positions": [[1, 2, 3], [4, 5, 6]],
          "device_channel_indices": [-1, 7]}, {"contact_positions": [[8, 9]]})");
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_EQ(contacts.at(7).position, (std::array<double, 3>{4000, 5000, 6000}));
  EXPECT_EQ(contacts.at(1).probe, 1U);
  EXPECT_EQ(contacts.at(1).shank, "");
}

TEST(ProbeDocument, NamesTheFieldThatIsWrong) {
  const auto refused = [](const std::string& probe, const std::string& part) {
    testing::expect_error(ErrorCode::corrupt_data, part, [&] { contacts_of(probe); });
  };
  refused(R"({})", "probe 0: the key \"contact_positions\" is missing");
  refused(R"({"si_units": "m", "contact_positions": []})", "si_units: \"m\"");
  refused(R"({"contact_positions": [[1]]})", "contact_positions: 1 coordinates");
  refused(R"({"contact_positions": [[1, 2]], "device_channel_indices": [1, 2]})",
          "2 entries for 1");
  refused(R"({"contact_positions": [[1, 2], [3, 4]], "device_channel_indices": [1, 1]})",
          "channel 1 has two contacts");
  testing::expect_error(ErrorCode::corrupt_data, "probes",
                        [] { read_probe_document(parse_json("{}")); });
}

}  // namespace
}  // namespace weir::formats
