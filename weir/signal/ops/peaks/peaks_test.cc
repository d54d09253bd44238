#include "weir/signal/ops/peaks/peaks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/peaks/golden/";
constexpr double kRate = 1000;

Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

StreamInfo probe(std::int64_t channels, std::int64_t frames) {
  StreamInfo stream = make_stream(kRate, channels, frames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  return stream;
}

EventList peaks_of(const Value& params, const StreamInfo& stream, const Samples& in) {
  return testing::run_operator(peaks_operator(), params, stream, in).events;
}

/// Peaks and channels, by time.
std::vector<std::pair<std::int64_t, std::int64_t>> places(const EventList& events) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (const Event& event : events) {
    found.emplace_back(event.peak, event.channel);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::pair<std::int64_t, std::int64_t>> expected(const char* file) {
  const Samples table = load_npy(kGolden + file);
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  for (std::int64_t i = 0; i < table.frames; ++i) {
    rows.emplace_back(std::lround(table(i, 0)), std::lround(table(i, 1)));
  }
  return rows;
}

Samples one_channel(std::vector<float> values) {
  return {std::ssize(values), 1, std::move(values)};
}

TEST(Peaks, ConformsByHeight) {
  testing::check_operator(peaks_operator(),
                          members({{"height", 1.5}, {"height_unit", "sd"}, {"peak_sign", "both"}}),
                          probe(37, 3000), {.int16_input = true});
}

TEST(Peaks, ConformsWithEveryRule) {
  testing::check_operator(peaks_operator(),
                          members({{"height", 0.5},
                                   {"height_unit", "mad"},
                                   {"distance_s", 0.005},
                                   {"prominence", 0.5},
                                   {"width_s", 0.001},
                                   {"wlen_s", 0.1},
                                   {"peak_sign", "neg"}}),
                          probe(37, 3000));
}

TEST(Peaks, ConformsWithNeighbours) {
  testing::check_operator(
      peaks_operator(),
      members({{"height", 2.0}, {"height_unit", "sd"}, {"distance_s", 0.004}, {"radius_um", 50.0}}),
      probe(37, 3000));
}

TEST(Peaks, EqualsSciPy) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  const auto check = [&](const Value& params, const char* file) {
    EXPECT_EQ(places(peaks_of(params, stream, in)), expected(file)) << file;
  };
  check(Value::object(), "all.npy");
  check(members({{"height", 1.5}}), "high.npy");
  check(members({{"threshold", 0.75}}), "steep.npy");
  check(members({{"height", 0.5}, {"distance_s", 0.009}}), "apart.npy");
  check(members({{"prominence", 2.0}, {"wlen_s", 0.101}}), "prominent.npy");
  check(members({{"width_s", 0.0035}, {"wlen_s", 0.051}, {"rel_height", 0.75}}), "wide.npy");
  check(members({{"height", 0.25},
                 {"distance_s", 0.005},
                 {"prominence", 1.25},
                 {"width_s", 0.0015},
                 {"wlen_s", 0.061}}),
        "everything.npy");
}

TEST(Peaks, KeepsTheHighestAmongNeighbours) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const auto found =
      peaks_of(members({{"height", 1.5}, {"distance_s", 0.007}, {"radius_um", 45.0}}),
               probe(in.channels, in.frames), in);
  EXPECT_EQ(places(found), expected("nearby.npy"));
}

TEST(Peaks, TurnsTheSignForNegativePeaksAndNegativeGains) {
  Samples in = load_npy(kGolden + "frames.npy");
  for (float& value : in.values) {
    value = -value;
  }
  StreamInfo stream = probe(in.channels, in.frames);
  const auto down = peaks_of(members({{"height", 1.5}, {"peak_sign", "neg"}}), stream, in);
  EXPECT_EQ(places(down), expected("high.npy"));
  EXPECT_EQ(down[0].polarity, -1);
  EXPECT_LE(down[0].peak_value, -1.5F);
  for (auto& channel : stream.channels) {
    channel.gain = -1;
  }
  const auto up = peaks_of(members({{"height", 1.5}}), stream, in);
  EXPECT_EQ(places(up), expected("high.npy"));
  EXPECT_EQ(up[0].polarity, 1);
}

TEST(Peaks, FindsTheMiddleOfFlatTops) {
  const auto in = one_channel({0, 1, 1, 0, 2, 2, 2, 1, 3, 3, 3, 3, 4, 5, 5});
  const auto found = peaks_of(Value::object(), probe(1, 15), in);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].onset, 1);
  EXPECT_EQ(found[0].offset, 3);
  EXPECT_EQ(found[0].peak, 1);
  EXPECT_EQ(found[1].peak, 5);
}

TEST(Peaks, TheLaterOfEqualsStays) {
  const auto in = one_channel({0, 5, 0, 5, 0, 5, 0, 0, 0, 0, 5, 0});
  const auto found = peaks_of(members({{"distance_s", 0.003}}), probe(1, 12), in);
  EXPECT_EQ(places(found),
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 0}, {5, 0}, {10, 0}}));
}

// Case B17: every dip at a border is found once, wherever the border is.
TEST(Peaks, FindsEveryDipOnceAtAnyBorder) {
  Samples in{600, 2, std::vector<float>(1200)};
  for (const std::int64_t at : {99, 200, 301, 447, 448 + 64}) {
    in(at, 0) = -50;
  }
  const auto params = members({{"peak_sign", "neg"}, {"height", 20.0}, {"distance_s", 0.02}});
  for (const std::int64_t block : {1, 100, 64, 128, 600}) {
    const auto found =
        testing::run_operator(peaks_operator(), params, probe(2, 600), in, {.frames = {block}});
    EXPECT_EQ(places(found.events), (std::vector<std::pair<std::int64_t, std::int64_t>>{
                                        {99, 0}, {200, 0}, {301, 0}, {447, 0}, {512, 0}}))
        << block;
  }
}

TEST(Peaks, CountsWhatItCouldNotWaitFor) {
  // A long stair: every peak has a higher one near by.
  Samples in{3000, 1, std::vector<float>(3000)};
  for (std::int64_t t = 0; t < 3000; ++t) {
    in(t, 0) = static_cast<float>(t + (t % 2 == 0 ? 0 : 10));
  }
  const auto outcome =
      testing::run_operator(peaks_operator(), members({{"distance_s", 0.004}}), probe(1, 3000), in);
  EXPECT_GT(outcome.events.size(), 500);
  EXPECT_GT(outcome.counters.at(0).count, 0);
  for (std::size_t i = 1; i < outcome.events.size(); ++i) {
    EXPECT_GE(outcome.events[i].peak - outcome.events[i - 1].peak, 4);
  }
}

// A flat top that is not over makes its own channel wait, not others.
TEST(Peaks, ATopOfAnotherChannelChangesNothing) {
  Samples in{3000, 33, std::vector<float>(33 * 3000)};
  for (std::int64_t t = 0; t < 3000; ++t) {
    in(t, 0) = static_cast<float>(t + (t % 2 == 0 ? 0 : 10));
    in(t, 32) = t % 90 < 80 ? 1.0F : 0.0F;
  }
  const auto alone = [&](const testing::Cuts& cuts) {
    return testing::run_operator(peaks_operator(), members({{"distance_s", 0.004}}),
                                 probe(33, 3000), in, cuts);
  };
  const auto together = alone({});
  const auto apart = alone({.group_channels = 32});
  EXPECT_EQ(together.events, apart.events);
  EXPECT_EQ(together.counters.at(0).count, apart.counters.at(0).count);
}

TEST(Peaks, NanIsNoPeakAndHidesNone) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto in = one_channel({0, 3, 0, nan, 4, 0, 1, nan, 0, 2, 0});
  EXPECT_EQ(places(peaks_of(Value::object(), probe(1, 11), in)),
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 0}, {9, 0}}));
}

TEST(Peaks, NamesTheFieldThatIsWrong) {
  StreamInfo stream = probe(3, 100);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text,
                 [&] { peaks_operator().plan(params, {.in = stream, .temporary_folder = {}}); });
  };
  refused(members({{"radius_um", 50.0}}), "distance_s: is needed with radius_um");
  refused(members({{"max_cluster_s", 1.0}}), "max_cluster_s: bounds the chains");
  refused(members({{"distance_s", 0.1}, {"max_cluster_s", 0.1}}),
          "max_cluster_s: 100 frames are less");
  refused(members({{"prominence", 1.0}, {"wlen_s", 0.0005}}), "wlen_s: 0.0005 s is 1 frames");
  refused(members({{"distance_s", 0.0}}), "distance_s");
  refused(members({{"rel_height", 2.0}}), "rel_height");
  stream.channels[2].position.reset();
  refused(members({{"distance_s", 0.1}, {"radius_um", 50.0}}),
          "radius_um: exclusion needs positions; channel 2");
}
}  // namespace
}  // namespace weir::signal
