#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "weir/formats/json.h"
#include "weir/formats/kinds/edf/edf.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::read_all;

fs::path test_data() {
  const char* folder = std::getenv("WEIR_TEST_DATA");
  return folder != nullptr ? fs::path(folder)
                           : fs::path(WEIR_SOURCE_DIR) / ".." / "shared" / "data";
}

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/edf/golden" / name;
}

/// Volts of a count, for channels in volts or parts of them.
double volts(const Channel& channel, double count) {
  const double unit = channel.unit == "uV" ? 1e-6 : channel.unit == "mV" ? 1e-3 : 1;
  return (count * channel.gain + channel.offset) * unit;
}

/// Samples of channel `index` and its kin in `rows`, one row a channel.
void compare(const RecordingSource& source, std::size_t index, const Value& digital,
             const Value& physical) {
  const auto samples = read_all(source);
  const auto width = static_cast<std::size_t>(source.info().channel_count());
  const Channel& channel = source.info().channels.at(index);
  const auto& counts = digital.as_array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double count = samples.at(i * width + index);
    ASSERT_EQ(count, counts[i].as_number()) << channel.name << " " << i;
    const double expected = physical.as_array()[i].as_number();
    ASSERT_NEAR(count * channel.gain + channel.offset, expected, 1e-9 * std::abs(expected) + 1e-11)
        << channel.name << " " << i;
  }
}

TEST(EdfPeers, WroteFilesThatReadTheSame) {
  const Value cases = parse_json(testing::read_string(golden("edfio.json")));
  for (const auto& [name, expected] : cases.as_object()) {
    SCOPED_TRACE(name);
    const auto fast = edf_format().open(golden(name), {});
    OpenOptions options;
    options.stream = "10 Hz";
    const auto slow = edf_format().open(golden(name), options);
    EXPECT_TRUE(fast->info().warnings.empty()) << fast->info().warnings.front();
    EXPECT_EQ(fast->info().start_time, "2004-02-29T23:59:58");
    EXPECT_EQ(fast->info().segments.at(0).start_s, Rational(1, 4));
    EXPECT_EQ(fast->info().channels[1].name, expected.at("names").as_array()[1].as_string());
    EXPECT_EQ(slow->info().channels[0].unit, "degC");
    const auto& digital = expected.at("digital").as_array();
    const auto& physical = expected.at("physical").as_array();
    compare(*fast, 0, digital[0], physical[0]);
    compare(*fast, 1, digital[1], physical[1]);
    const auto row = read_all(*slow);
    EXPECT_EQ(row.front(), digital[2].as_array().front().as_number());
    for (std::size_t c = 0; c < 2; ++c) {
      const auto samples = read_all(*fast);
      const auto& mne = expected.at("mne_volts").as_array()[c].as_array();
      for (std::size_t i = 0; i < mne.size(); ++i) {
        ASSERT_NEAR(volts(fast->info().channels[c], samples[2 * i + c]), mne[i].as_number(), 1e-12);
      }
    }
    testing::check_source(*fast);
    testing::check_source(*slow);
  }
}

/// Mean and root mean square of one channel, in volts.
std::pair<double, double> moments(const RecordingInfo& info, const std::vector<float>& samples,
                                  std::size_t channel) {
  double sum = 0;
  double squares = 0;
  const auto width = static_cast<std::size_t>(info.channel_count());
  for (std::size_t i = channel; i < samples.size(); i += width) {
    const double value = volts(info.channels[channel], samples[i]);
    sum += value;
    squares += value * value;
  }
  const auto frames = static_cast<double>(samples.size() / width);
  return {sum / frames, std::sqrt(squares / frames)};
}

TEST(EdfPeers, AgreeOnRealFiles) {
  const fs::path folder = test_data();
  if (!fs::exists(folder / "edf")) {
    ASSERT_FALSE(testing::is_required("data")) << folder << " is missing";
    GTEST_SKIP() << folder << " is missing";
  }
  const Value all = parse_json(testing::read_string(folder / "expected.json"));
  for (const char* name : {"duplicate_labels.edf", "eeg.bdf", "eeg.edf", "subsecond_start.edf"}) {
    SCOPED_TRACE(name);
    const Value& expected = all.at(std::string("edf/") + name);
    const auto source = edf_format().open(folder / "edf" / name, {});
    const auto& info = source->info();
    EXPECT_EQ(info.channel_count(), expected.at("channels").as_integer());
    EXPECT_EQ(info.rate.hz(), expected.at("rate_hz").as_number());
    EXPECT_EQ(info.total_frames(), expected.at("samples").as_integer());
    const auto samples = read_all(*source);
    for (std::size_t c = 0; c < expected.at("first").as_array().size(); ++c) {
      const auto near = [&](double got, const char* key) {
        const double wanted = expected.at(key).as_array()[c].as_number();
        EXPECT_NEAR(got, wanted, 1e-6 * std::abs(wanted) + 1e-14) << key << " of channel " << c;
      };
      const auto [mean, rms] = moments(info, samples, c);
      near(volts(info.channels[c], samples[c]), "first");
      near(mean, "mean");
      near(rms, "rms");
    }
    testing::check_source(*source);
  }
}

TEST(EdfPeers, HaveNoAnswerForUnevenRatesButTheHeaderHas) {
  const fs::path path = test_data() / "edf/uneven_rates.edf";
  if (!fs::exists(path)) {
    ASSERT_FALSE(testing::is_required("data")) << path << " is missing";
    GTEST_SKIP() << path << " is missing";
  }
  const auto fast = edf_format().open(path, {});
  EXPECT_EQ(fast->info().rate, SampleRate::from_hz(100));
  EXPECT_EQ(fast->info().total_frames(), 11000);
  EXPECT_EQ(fast->info().channels[0].name, "3Hz +5/-5 V");
  OpenOptions options;
  options.stream = "12.8 Hz";
  const auto slow = edf_format().open(path, options);
  EXPECT_EQ(slow->info().total_frames(), 1408);
  EXPECT_EQ(slow->info().channels[0].unit, "uV");
  testing::check_source(*slow);
}

}  // namespace
}  // namespace weir::formats
