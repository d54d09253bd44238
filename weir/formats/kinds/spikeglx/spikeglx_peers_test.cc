#include <gtest/gtest.h>

#include <cstdlib>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

fs::path header_folder() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  return (folder != nullptr ? fs::path(folder)
                            : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data") /
         "spikeglx";
}

/// Three frames of zeros beside a copy of a real header.
std::unique_ptr<RecordingSource> open_real(const fs::path& header,
                                           const testing::ScratchFolder& folder) {
  const std::string text = testing::read_string(header);
  const auto at = text.find("nSavedChans=") + 12;
  const auto channels = parse_integer(text.substr(at, text.find_first_of("\r\n", at) - at));
  const fs::path bin = folder / header.stem().concat(".bin");
  testing::write_string(folder / header.filename(), text);
  testing::write_string(bin, std::string(static_cast<std::size_t>(6 * channels), '\0'));
  return spikeglx_format().open(bin, {});
}

void compare_gains(const RecordingInfo& info, const Value& gains) {
  for (const auto& [name, gain] : gains.as_object()) {
    const auto found = std::find_if(info.channels.begin(), info.channels.end(),
                                    [&](const Channel& channel) { return channel.name == name; });
    ASSERT_NE(found, info.channels.end()) << name;
    EXPECT_NEAR(found->gain, gain.as_number(), 1e-9 * gain.as_number()) << name;
  }
}

/// `expected` is measured from the first electrode, and counts electrodes in file order.
void compare_sites(const RecordingInfo& info, const Value& expected) {
  std::vector<Channel> electrodes;
  for (const auto& channel : info.channels) {
    if (channel.position) {
      electrodes.push_back(channel);
    }
  }
  ASSERT_EQ(std::ssize(electrodes), expected.at("count").as_integer());
  for (const auto& site : expected.at("sites").as_array()) {
    const auto& row = site.as_array();
    const Channel& channel = electrodes.at(static_cast<std::size_t>(row[0].as_integer()));
    const auto& first = *electrodes.front().position;
    EXPECT_EQ(channel.group, row[1].as_string()) << channel.name;
    EXPECT_NEAR((*channel.position)[0] - first[0], row[2].as_number(), 1e-6) << channel.name;
    EXPECT_NEAR((*channel.position)[1] - first[1], row[3].as_number(), 1e-6) << channel.name;
  }
}

TEST(SpikeglxPeers, AgreeOnGainsAndPositionsOfRealHeaders) {
  if (!fs::exists(header_folder())) {
    ASSERT_FALSE(testing::is_required("data")) << header_folder() << " is missing";
    GTEST_SKIP() << header_folder() << " is missing";
  }
  const Value cases = parse_json(testing::read_string(
      fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/spikeglx/golden/peers.json"));
  for (const auto& [name, expected] : cases.as_object()) {
    SCOPED_TRACE(name);
    const testing::ScratchFolder folder;
    const auto source = open_real(header_folder() / name, folder);
    const auto& info = source->info();
    // Only the size of the file, which is ours, differs from what its header says.
    EXPECT_EQ(info.warnings.size(), 1U) << info.warnings.back();
    if (!expected.at("gains").is_null()) {
      compare_gains(info, expected.at("gains"));
    }
    if (!expected.at("probe").is_null()) {
      compare_sites(info, expected.at("probe"));
    }
  }
}

}  // namespace
}  // namespace weir::formats
