// The real files of shared/data, by detection alone, against what MNE read from them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "weir/catalog/catalog.h"
#include "weir/formats/json.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::catalog {
namespace {
namespace fs = std::filesystem;
using formats::EventKind;
using formats::EventStreamInfo;

fs::path test_data() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  return folder != nullptr ? fs::path(folder)
                           : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data";
}

/// Whether MNE's name is this one, or made of it because another channel has the same.
bool is_name(const std::string& mne, const std::string& name) {
  return mne == name || (mne.starts_with(name + "-") && mne.size() == name.size() + 2);
}

double to_volts(const std::string& unit) {
  return unit == "uV" ? 1e-6 : unit == "mV" ? 1e-3 : 1;
}

/// The first names, and after "..." the last.
void check_names(const std::vector<Channel>& channels, const Value::Array& expected) {
  const auto gap = std::find_if(expected.begin(), expected.end(),
                                [](const Value& name) { return name.as_string() == "..."; });
  ASSERT_NE(gap, expected.end());
  for (auto name = expected.begin(); name != expected.end(); ++name) {
    if (name != gap) {
      const auto at =
          name < gap ? name - expected.begin() : std::ssize(channels) - (expected.end() - name);
      const auto& channel = channels.at(static_cast<std::size_t>(at));
      EXPECT_TRUE(is_name(name->as_string(), channel.name))
          << channel.name << " is not " << name->as_string();
    }
  }
}

/// First sample, mean and root mean square of the first channels, in volts.
void check_samples(const RecordingSource& source, const Value& expected) {
  const auto& info = source.info();
  const auto samples = testing::read_all(source);
  const auto width = static_cast<std::size_t>(info.channel_count());
  for (std::size_t c = 0; c < expected.at("first").as_array().size(); ++c) {
    const Channel& channel = info.channels.at(c);
    double sum = 0;
    double squares = 0;
    const auto volts = [&](std::size_t i) {
      return (samples[i] * channel.gain + channel.offset) * to_volts(channel.unit);
    };
    for (std::size_t i = c; i < samples.size(); i += width) {
      sum += volts(i);
      squares += volts(i) * volts(i);
    }
    const auto near = [&](double got, const char* key) {
      const double wanted = expected.at(key).as_array()[c].as_number();
      EXPECT_NEAR(got, wanted, 1e-6 * std::abs(wanted) + 1e-14) << key << " of channel " << c;
    };
    const auto frames = static_cast<double>(info.total_frames());
    near(volts(c), "first");
    near(sum / frames, "mean");
    near(std::sqrt(squares / frames), "rms");
  }
}

/// MNE lists the markers that start segments, too.
std::int64_t count_annotations(const fs::path& path, const RecordingInfo& info) {
  std::int64_t count = info.format == "brainvision" ? std::ssize(info.segments) : 0;
  for (const auto& stream : formats().list_events(path, {})) {
    count += stream.kind == EventKind::annotations ? stream.count.value_or(-1) : 0;
  }
  return count;
}

TEST(SharedData, OpensWithTheFactsThatAreKnown) {
  if (!fs::exists(test_data() / "expected.json")) {
    ASSERT_FALSE(testing::is_required("data")) << test_data() << " is missing";
    GTEST_SKIP() << test_data() << " is missing";
  }
  const Value all = formats::parse_json(testing::read_string(test_data() / "expected.json"));
  for (const auto& [name, expected] : all.as_object()) {
    SCOPED_TRACE(name);
    const auto source = formats().open(test_data() / name, {});
    const auto& info = source->info();
    EXPECT_EQ(info.rate.hz(), expected.at("rate_hz").as_number());
    EXPECT_EQ(info.total_frames(), expected.at("samples").as_integer());
    if (name == "edf/uneven_rates.edf") {  // MNE brings the second channel to the first one's rate.
      EXPECT_EQ(info.metadata.at("streams"), "100 Hz (1 channel), 12.8 Hz (1 channel)");
      continue;
    }
    EXPECT_EQ(info.channel_count(), expected.at("channels").as_integer());
    check_names(info.channels, expected.at("names").as_array());
    check_samples(*source, expected);
    EXPECT_EQ(count_annotations(test_data() / name, info), expected.at("annotations").as_integer());
  }
}

}  // namespace
}  // namespace weir::catalog
