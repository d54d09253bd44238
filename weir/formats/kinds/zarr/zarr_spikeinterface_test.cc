#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;

/// Made by the same script as the binary folders.
std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/spikeinterface/golden" / name;
}

void compare_channels(const RecordingInfo& info, const Value& expected) {
  ASSERT_EQ(info.channel_count(), 4);
  for (std::size_t c = 0; c < 4; ++c) {
    const Channel& channel = info.channels[c];
    const auto& place = expected.at("locations").as_array()[c].as_array();
    EXPECT_EQ(channel.name, expected.at("ids").as_array()[c].as_string());
    EXPECT_EQ(channel.group, expected.at("groups").as_array()[c].as_string());
    EXPECT_EQ(channel.unit, "uV");
    ASSERT_TRUE(channel.position) << channel.name;
    EXPECT_EQ((*channel.position)[0], place[0].as_number());
    EXPECT_EQ((*channel.position)[1], place[1].as_number());
  }
}

TEST(ZarrSpikeinterface, ReadsWhatSpikeInterfaceSaved) {
  const Value cases = parse_json(testing::read_string(golden("stores.json")));
  for (const auto& [name, expected] : cases.as_object()) {
    SCOPED_TRACE(name);
    const auto source = FormatList({&zarr_format()}).open(golden(name + ".zarr"), {});
    const auto& info = source->info();
    EXPECT_EQ(info.warnings.size(), name == "store_times" ? 1U : 0U);
    EXPECT_EQ(info.rate, SampleRate::from_hz(30000.5));
    EXPECT_EQ(info.metadata.at("operator"), "wren");
    ASSERT_EQ(info.segments.size(), 2U);
    compare_channels(info, expected);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(info.segments[s].start_s.to_double(),
                expected.at("starts").as_array()[s].as_number());
      const auto samples = read_all(*source, static_cast<std::int64_t>(s));
      const auto& microvolts = expected.at("microvolts").as_array()[s].as_array();
      ASSERT_EQ(samples.size(), microvolts.size());
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const Channel& channel = info.channels[i % 4];
        // SpikeInterface computes in float32.
        ASSERT_NEAR(samples[i] * channel.gain + channel.offset, microvolts[i].as_number(), 1e-3);
      }
    }
    testing::check_source(*source);
  }
}

/// A copy of a store, with a document of it replaced.
std::filesystem::path changed(const ScratchFolder& folder, const std::string& file,
                              const std::string& text) {
  const auto path = folder / "a.zarr";
  std::filesystem::remove_all(path);
  std::filesystem::copy(golden("store.zarr"), path, std::filesystem::copy_options::recursive);
  testing::write_string(path / file, text);
  return path;
}

TEST(ZarrSpikeinterface, SaysWhatItDoesNotUse) {
  const ScratchFolder folder;
  const auto warned = [&](const std::string& file, const std::string& text,
                          const std::string& part) {
    const auto path = changed(folder, file, text);
    const auto source = zarr_format().open(path, {});
    ASSERT_FALSE(source->info().warnings.empty()) << part;
    EXPECT_NE(source->info().warnings[0].find(part), std::string::npos)
        << source->info().warnings[0];
    EXPECT_EQ(read_all(*source), read_all(*zarr_format().open(golden("store.zarr"), {})));
  };
  const std::string objects = R"({"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "|O",
      "compressor": null, "fill_value": 0, "order": "C", "filters": [{"id": "vlen-utf8"}]})";
  warned("channel_ids/.zarray", objects, "channel_ids: the property is not used: ");
  warned("properties/gain_to_uV/.zarray", "{", "gain_to_uV: the property is not used: ");
  warned("properties/group/.zarray", R"({"zarr_format": 2, "shape": [3], "chunks": [4],
      "dtype": "<i8", "compressor": null, "fill_value": 0, "order": "C", "filters": null})",
         "has shape (3) where there are 4 channels");
  Value attributes = parse_json(testing::read_string(golden("store.zarr/.zattrs")));
  attributes.set("probegroup", parse_json(R"({"probes": [{"contact_positions": "x"}]})"));
  warned(".zattrs", to_json(attributes), "probegroup: the probe is not used: ");
}

TEST(ZarrSpikeinterface, NamesWhatIsWrong) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& key, const std::string& value,
                           const std::string& part) {
    Value attributes = parse_json(testing::read_string(golden("store.zarr/.zattrs")));
    attributes.set(key, parse_json(value));
    const auto path = changed(folder, ".zattrs", to_json(attributes));
    expect_error(ErrorCode::corrupt_data, part, [&] { zarr_format().open(path, {}); });
  };
  refused("sampling_frequency", "0", "sampling_frequency");
  refused("sampling_frequency", "\"x\"", "sampling_frequency");
  refused("num_segments", "0", "num_segments: 0 cannot be");
  refused("num_segments", "9223372036854775807", "num_segments: ");
  refused("num_segments", "3", "t_starts: is no number for each of 3 segments");
  const auto path = changed(folder, "t_starts/.zarray", R"({"zarr_format": 2, "shape": [3],
      "chunks": [4], "dtype": "<f8", "compressor": null, "fill_value": 0, "order": "C",
      "filters": null})");
  expect_error(ErrorCode::corrupt_data, "t_starts: is no number for each of 2 segments",
               [&] { zarr_format().open(path, {}); });
  std::filesystem::remove_all(path / "traces_seg0");
  std::filesystem::create_directories(path / "spikes");
  testing::write_string(path / "spikes" / ".zgroup", R"({"zarr_format": 2})");
  expect_error(ErrorCode::unsupported, "holds a sorting, no recording",
               [&] { zarr_format().open(path, {}); });
}

}  // namespace
}  // namespace weir::formats
