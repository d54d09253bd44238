#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "weir/formats/json.h"
#include "weir/formats/kinds/open_ephys/open_ephys.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

fs::path real_node() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  return (folder != nullptr ? fs::path(folder)
                            : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data") /
         "openephys/np1/Record_Node_101";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), sizeof(T) * values.size()};
}

/// A copy of the real headers, with 100 frames of counting numbers from sample 3000 on.
std::unique_ptr<RecordingSource> open_copy(const testing::ScratchFolder& scratch) {
  const fs::path node = scratch / "Record Node 101";
  const fs::path recording = node / "experiment1" / "recording1";
  const fs::path stream = recording / "continuous" / "Neuropix-PXI-100.ProbeA";
  fs::create_directories(stream);
  fs::copy_file(real_node() / "settings.xml", node / "settings.xml");
  fs::copy_file(real_node() / "experiment1" / "recording1" / "structure.oebin",
                recording / "structure.oebin");
  std::vector<std::int16_t> samples(384 * 100);
  std::iota(samples.begin(), samples.end(), std::int16_t{0});
  testing::write_string(stream / "continuous.dat", bytes_of(samples));
  std::vector<std::int64_t> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 3000);
  std::string header = "{'descr': '<i8', 'fortran_order': False, 'shape': (100,), }";
  header.resize(117, ' ');
  testing::write_string(
      stream / "sample_numbers.npy",
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + bytes_of(numbers));
  return open_ephys_format().open(scratch / "Record Node 101", {});
}

TEST(OpenEphysPeers, AgreeOnARealRecording) {
  if (!fs::exists(real_node())) {
    ASSERT_FALSE(testing::is_required("data")) << real_node() << " is missing";
    GTEST_SKIP() << real_node() << " is missing";
  }
  const Value peers = parse_json(testing::read_string(
      fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/open_ephys/golden/peers.json"));
  const Value& neo = peers.at("neo");
  const testing::ScratchFolder scratch;
  const auto source = open_copy(scratch);
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  ASSERT_EQ(info.channel_count(), 384);
  EXPECT_EQ(info.rate.hz(), neo.at("rate").as_number());
  EXPECT_EQ(info.segments.at(0).start_s.to_double(), neo.at("start_s").as_number());
  EXPECT_EQ(info.metadata.at("probe"), "NP2014");
  EXPECT_EQ(info.metadata.at("gui_version"), "1.0.1");
  const auto samples = testing::read_all(*source);
  const auto& sites = peers.at("sites").as_array();
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const auto& site = sites[i].as_array();
    const auto index = static_cast<std::size_t>(site[0].as_integer());
    const Channel& channel = info.channels[index];
    EXPECT_EQ(channel.name, neo.at("names").as_array()[i].as_string());
    EXPECT_EQ(channel.gain, neo.at("gains").as_array()[i].as_number());
    EXPECT_EQ(channel.unit, neo.at("units").as_array()[i].as_string());
    EXPECT_EQ(samples[99 * 384 + index], neo.at("last_row").as_array()[i].as_number());
    EXPECT_EQ(channel.group, peers.at("shanks").as_array()[i].as_string());
    ASSERT_TRUE(channel.position);
    EXPECT_EQ((*channel.position)[0] - (*info.channels[0].position)[0], site[1].as_number());
    EXPECT_EQ((*channel.position)[1] - (*info.channels[0].position)[1], site[2].as_number());
  }
  testing::check_source(*source);
}

}  // namespace
}  // namespace weir::formats
