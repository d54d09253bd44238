#include "weir/core/channel.h"

#include <gtest/gtest.h>

#include "weir/core/event.h"

namespace weir {
namespace {

TEST(Channel, VoltagesAreElectricalInEverySpelling) {
  for (const char* unit : {"V", "mV", "uV", "\u00b5V", "\u03bcV", "nV"}) {
    EXPECT_TRUE(is_electrical(unit)) << unit;
  }
  for (const char* unit : {"", "mmHg", "v", "V/s", "kV2"}) {
    EXPECT_FALSE(is_electrical(unit)) << unit;
  }
}

TEST(Channel, MadeOnesAreNumbered) {
  const auto channels = make_channels(3, 0.195, -1, "uV");
  EXPECT_EQ(channels[2].name, "ch2");
  EXPECT_EQ(channels[2].source_index, 2);
  EXPECT_EQ(channels[2].gain, 0.195);
  EXPECT_EQ(channels[2].offset, -1);
  EXPECT_EQ(channels[2].unit, "uV");
}

TEST(Channel, ReferencesUseTheElectricalOnesOrAllWhenThereAreNone) {
  auto channels = make_channels(4, 1, 0, "uV");
  channels[1].unit = "mmHg";
  EXPECT_EQ(electrical_channels(channels), (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(electrical_channels(make_channels(2)), (std::vector<std::int64_t>{0, 1}));
}

TEST(Event, RowsAreOrderedByFinalSampleThenChannelThenOnset) {
  Event early{};
  early.final = 5;
  early.channel = 9;
  Event late{};
  late.final = 6;
  EXPECT_TRUE(row_before(early, late));
  Event lower = early;
  lower.channel = 2;
  EXPECT_TRUE(row_before(lower, early));
  Event sooner = early;
  sooner.onset = -1;
  EXPECT_TRUE(row_before(sooner, early));
  EXPECT_FALSE(row_before(early, early));
}

}  // namespace
}  // namespace weir
