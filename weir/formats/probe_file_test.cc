#include "weir/formats/probe_file.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/python_literal.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_string;

constexpr const char* kPrb = R"(# A comment with channel_groups = {}
total_nb_channels = 4
channel_groups = {
    0: {'channels': [2, 0],  # the first shank
        'graph': [],
        'geometry': {0: (0, 0), np.int64(2): [np.float64(10.5), -20.]}},
    "b": {
        'channels': list(range(3, 4)),
        'geometry': {3: (1e1, 5, 7)},
    },
}
)";

TEST(ProbeFile, ReadsPrbFilesAndProbeinterface) {
  const ScratchFolder folder;
  write_string(folder / "a.prb", kPrb);
  const auto prb = read_probe_file(folder / "a.prb");
  ASSERT_EQ(prb.size(), 3U);
  EXPECT_EQ(prb.at(2).position, (std::array<double, 3>{10.5, -20, 0}));
  EXPECT_EQ(prb.at(2).shank, "0");
  EXPECT_EQ(prb.at(3).position, (std::array<double, 3>{10, 5, 7}));
  EXPECT_EQ(prb.at(3).shank, "b");
  auto channels = make_channels(3, 1, 0, "uV");
  for (std::size_t c = 0; c < channels.size(); ++c) {
    channels[c].position = {1.5 * static_cast<double>(c), 2, 0};
    channels[c].group = c == 0 ? "x" : "y";
  }
  write_string(folder / "a.json", to_json(to_probe_document(channels), 1));
  const auto before = channels;
  for (auto& channel : channels) {
    channel.position.reset();
    channel.group = "other";
  }
  attach_probe(read_probe_file(folder / "a.json"), channels);
  EXPECT_EQ(channels, before);
}

TEST(ProbeFile, NamesWhatIsWrongWithAFile) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& text, const std::string& part) {
    write_string(folder / "a.prb", text);
    expect_error(ErrorCode::corrupt_data, part, [&] { read_probe_file(folder / "a.prb"); });
  };
  refused("channel_groups = {0: {'channels': [0], 'geometry': {}}}", "no place for channel 0");
  refused("channel_groups = {0: {'channels': [0], 'geometry': {0: (1,)}}}", "1 coordinates");
  refused("channel_groups = {0: {'channels': [0, 0], 'geometry': {0: (1, 2)}}}", "named twice");
  refused("\n\nchannel_groups = {0: np.zeros(3)}", "line 3: \"np.zeros\" is no plain value");
  refused("channel_groups = {0: " + std::string(100, '[') + "}", "nested too deep");
  refused("channel_groups = {0: range(999999999)}", "out of bounds");
  refused("channel_groups = {0: [range(900000), range(900000)]}", "more than 1,000,000 values");
  refused("channel_groups = {0: 'abc", "without an end");
  refused("channel_groups = {", "ends too early");
  refused("channel_groups = {}", "no contact is wired");
  write_string(folder / "a.prb", "groups = {}");
  expect_error(ErrorCode::not_found, "no line \"channel_groups",
               [&] { read_probe_file(folder / "a.prb"); });
  expect_error(ErrorCode::not_found, "none.json", [&] { read_probe_file(folder / "none.json"); });
}

TEST(ProbeFile, IsRefusedWithBothCountsWhereItDoesNotFit) {
  auto channels = make_channels(3, 1, 0, "uV");
  channels[2].unit = "";  // A digital word.
  std::map<std::int64_t, ProbeContact> contacts{{0, {}}, {1, {}}};
  attach_probe(contacts, channels);
  EXPECT_TRUE(channels[1].position);
  EXPECT_FALSE(channels[2].position);
  contacts.erase(1);
  expect_error(ErrorCode::invalid_spec,
               "1 contacts for 2 channels that record a voltage: channel 1",
               [&] { attach_probe(contacts, channels); });
  contacts = {{0, {}}, {1, {}}, {7, {}}};
  expect_error(ErrorCode::invalid_spec, "3 contacts for 2 channels",
               [&] { attach_probe(contacts, channels); });
}

}  // namespace
}  // namespace weir::formats
