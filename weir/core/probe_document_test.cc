#include "weir/core/probe_document.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir {
namespace {
using Array = Value::Array;
using Object = Value::Object;

std::map<std::int64_t, ProbeContact> contacts_of(Array probes) {
  return read_probe_document(Object{{"probes", std::move(probes)}});
}

TEST(ProbeDocument, GivesEachChannelTheContactThatIsWiredToIt) {  // Case G13.
  const auto contacts =
      contacts_of({Object{{"si_units", "um"},
                          {"contact_positions", Array{Array{2, 20}, Array{0, 0}, Array{1, 10}}},
                          {"contact_ids", Array{"2", "0", "1"}},
                          {"device_channel_indices", Array{1, 2, 0}},
                          {"shank_ids", Array{"c", "a", "b"}}}});
  ASSERT_EQ(contacts.size(), 3U);
  EXPECT_EQ(contacts.at(0).position, (std::array<double, 3>{1, 10, 0}));
  EXPECT_EQ(contacts.at(1).position, (std::array<double, 3>{2, 20, 0}));
  EXPECT_EQ(contacts.at(2).shank, "a");
}

TEST(ProbeDocument, ReadsUnitsUnconnectedContactsAndSeveralProbes) {
  const auto contacts =
      contacts_of({Object{{"si_units", "mm"},
                          {"contact_positions", Array{Array{1, 2, 3}, Array{4, 5, 6}}},
                          {"device_channel_indices", Array{-1, 7}}},
                   Object{{"contact_positions", Array{Array{8, 9}}}}});
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_EQ(contacts.at(7).position, (std::array<double, 3>{4000, 5000, 6000}));
  EXPECT_EQ(contacts.at(1).probe, 1U);
  EXPECT_EQ(contacts.at(1).shank, "");
}

TEST(ProbeDocument, NamesTheFieldThatIsWrong) {
  const auto refused = [](Object probe, const std::string& part) {
    testing::expect_error(ErrorCode::corrupt_data, part,
                          [&] { contacts_of({Value(std::move(probe))}); });
  };
  const Array two{Array{1, 2}, Array{3, 4}};
  refused({}, "probe 0: the key \"contact_positions\" is missing");
  refused({{"si_units", "m"}, {"contact_positions", Array{}}}, "si_units: \"m\"");
  refused({{"contact_positions", Array{Array{1}}}}, "contact_positions: 1 coordinates");
  refused({{"contact_positions", Array{Array{1, 2}}}, {"device_channel_indices", Array{1, 2}}},
          "2 entries for 1");
  refused({{"contact_positions", two}, {"device_channel_indices", Array{1, 1}}},
          "channel 1 has two contacts");
  testing::expect_error(ErrorCode::corrupt_data, "probes",
                        [] { read_probe_document(Value::object()); });
}
}  // namespace
}  // namespace weir
