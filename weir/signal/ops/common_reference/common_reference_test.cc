#include "weir/signal/ops/common_reference/common_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::expect_close;
using testing::expect_error;
using testing::expect_identical;
using testing::load_npy;
using testing::make_samples;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

constexpr auto kNan = std::numeric_limits<float>::quiet_NaN();

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Value list(std::initializer_list<Value> values) {
  return Value(Value::Array(values));
}

Value range(std::int64_t first, std::int64_t end, std::int64_t step = 1) {
  Value indices = Value::array();
  for (std::int64_t i = first; i < end; i += step) {
    indices.push_back(i);
  }
  return indices;
}

Samples golden(const std::string& name) {
  return load_npy("weir/signal/ops/common_reference/golden/" + name + ".npy");
}

StreamInfo stream_of(const Samples& samples, SampleType type) {
  return make_stream(30'000, samples.channels, samples.frames, type);
}

/// Two columns 32 um apart, rows every 20 um.
void place(StreamInfo& stream) {
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {32.0 * static_cast<double>(c % 2),
                                   20.0 * static_cast<double>(c / 2), 0};
  }
}

Samples reference(const Value& spec, const StreamInfo& stream, const Samples& in,
                  const Cuts& cuts = {}) {
  return run_operator(common_reference_operator(), spec, stream, in, cuts).samples;
}

std::unique_ptr<op::Step> plan(const Value& spec, const StreamInfo& stream) {
  return common_reference_operator().plan(spec, {.in = stream, .temporary_folder = {}});
}

Samples row(std::initializer_list<float> values) {
  return {1, static_cast<std::int64_t>(values.size()), values};
}

TEST(CommonReference, EqualsNumPyOverAllChannels) {
  const Samples in = golden("counts");
  for (const char* statistic : {"median", "mean"}) {
    for (const auto type : {SampleType::int16, SampleType::float32}) {
      SCOPED_TRACE(statistic);
      const Samples out = reference(params({{"statistic", statistic}}), stream_of(in, type), in);
      expect_close(out, golden(std::string("all_") + statistic), 1e-6);
    }
  }
}

TEST(CommonReference, IsExactOnIntegersWithTheMedian) {
  const Samples in = golden("counts");
  expect_identical(reference(params({}), stream_of(in, SampleType::int16), in),
                   golden("all_median"), "int16");
  expect_identical(reference(params({}), stream_of(in, SampleType::float32), in),
                   golden("all_median"), "float32");
}

TEST(CommonReference, EqualsNumPyWithinGroups) {
  const Samples in = golden("counts");
  const Value groups = list({range(0, 12), range(12, 36, 3), list({36, 13, "ch14"})});
  for (const char* statistic : {"median", "mean"}) {
    for (const auto type : {SampleType::int16, SampleType::float32}) {
      const Value spec = params({{"statistic", statistic}, {"groups", groups}});
      expect_close(reference(spec, stream_of(in, type), in),
                   golden(std::string("groups_") + statistic), 1e-6);
    }
  }
}

TEST(CommonReference, EqualsNumPyWithinTheAnnulus) {
  const Samples in = golden("counts");
  for (const char* statistic : {"median", "mean"}) {
    for (const auto type : {SampleType::int16, SampleType::float32}) {
      StreamInfo stream = stream_of(in, type);
      place(stream);
      const Value spec =
          params({{"statistic", statistic}, {"scope", "local"}, {"local_um", list({40, 90})}});
      expect_close(reference(spec, stream, in), golden(std::string("local_") + statistic), 1e-6);
    }
  }
}

TEST(CommonReference, TakesUnequalGainsOnPhysicalValues) {
  const Samples in = golden("counts");
  for (const char* statistic : {"median", "mean"}) {
    StreamInfo stream = stream_of(in, SampleType::int16);
    for (std::size_t c = 0; c < stream.channels.size(); ++c) {
      stream.channels[c].gain = 0.195 * (1 + 0.1 * std::sin(static_cast<double>(c)));
    }
    stream.channels[5].gain *= -1;
    const Samples out = reference(params({{"statistic", statistic}}), stream, in);
    expect_close(out, golden(std::string("gains_") + statistic), 1e-6);
  }
}

TEST(CommonReference, ComparesMillivoltsWithMicrovolts) {
  StreamInfo stream = make_stream(1000, 3, 1);
  stream.channels[1].unit = "mV";
  stream.channels[1].gain = 0.001;  // the same physical step
  expect_close(reference(params({}), stream, row({10, 20, 60})), row({-10, 0, 40}), 1e-7);
}

TEST(CommonReference, LeavesNanOutOfTheReferenceAndInItsOwnPlace) {
  const Samples in = golden("nan");
  for (const char* statistic : {"median", "mean"}) {
    const Samples out =
        reference(params({{"statistic", statistic}}), stream_of(in, SampleType::float32), in);
    expect_close(out, golden(std::string("nan_") + statistic), 1e-6);
    const Value grouped =
        params({{"statistic", statistic}, {"groups", list({range(0, 20), range(20, 37)})}});
    const Samples halves = reference(grouped, stream_of(in, SampleType::float32), in);
    for (std::size_t i = 0; i < in.values.size(); ++i) {
      ASSERT_EQ(std::isnan(halves.values[i]), std::isnan(in.values[i])) << i;
    }
  }
}

TEST(CommonReference, OrdersInfinitiesAndZerosOfBothSigns) {
  const float inf = std::numeric_limits<float>::infinity();
  const Samples in = row({-inf, -0.0F, 1, inf, inf});
  const Samples out = reference(params({}), stream_of(in, SampleType::float32), in);
  expect_identical(out, row({-inf, -1, 0, inf, inf}), "infinities");
  const Samples alone = row({kNan, 3});
  const Samples kept = reference(params({}), stream_of(alone, SampleType::float32), alone);
  EXPECT_TRUE(std::isnan(kept.values[0]));
  EXPECT_EQ(kept.values[1], 0);
}

TEST(CommonReference, TellsApartFloatsThatDifferInTheirLastBitsOnly) {
  for (const std::int64_t channels : {4, 11, 36, 37}) {
    const auto step = [](std::int64_t k) { return 1 + static_cast<double>(k) * 0x1p-22; };
    const Samples in =
        make_samples(40, channels, [&](auto t, auto c) { return step((c * 5 + t) % channels); });
    const Samples out = reference(params({}), stream_of(in, SampleType::float32), in);
    const double middle = static_cast<double>(channels - 1) / 2;
    const Samples expected = make_samples(40, channels, [&](auto t, auto c) {
      return (static_cast<double>((c * 5 + t) % channels) - middle) * 0x1p-22;
    });
    expect_identical(out, expected, std::to_string(channels));
  }
}

// Case B1: a mean in 16 bits overflows at 384 * 200.
TEST(CommonReference, SumsInWideIntegers) {
  const Samples in = make_samples(3, 384, [](auto, auto) { return 200; });
  const Samples zeros = make_samples(3, 384, [](auto, auto) { return 0; });
  for (const char* statistic : {"mean", "average", "median"}) {
    const Value spec = params({{"operator", statistic}});
    expect_identical(reference(spec, stream_of(in, SampleType::int16), in), zeros, statistic);
  }
  const Samples low = make_samples(3, 384, [](auto, auto) { return -32768; });
  expect_identical(
      reference(params({{"statistic", "mean"}}), stream_of(low, SampleType::int16), low), zeros,
      "lowest");
}

// Cases B2 and B3: an even count gives half counts, with and without groups.
TEST(CommonReference, KeepsTheHalfOfAnEvenMedian) {
  const Samples in = row({1, 2, 3, 4});
  for (const auto type : {SampleType::int16, SampleType::float32}) {
    const Samples all = reference(params({}), stream_of(in, type), in);
    expect_identical(all, row({-1.5, -0.5, 0.5, 1.5}), "residual");
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(std::nearbyint(all.values[i]), (std::array{-2.0F, -0.0F, 0.0F, 2.0F}[i]));
    }
    const Value grouped = params({{"groups", list({range(0, 4)})}});
    expect_identical(reference(grouped, stream_of(in, type), in), all, "one group of all");
    const Value shank = params({{"reference", "group"}});
    expect_identical(reference(shank, stream_of(in, type), in), all, "one shank");
  }
}

TEST(CommonReference, IsTheSameForOneGroupOfAllAndNone) {
  const Samples in = golden("counts");
  for (const char* statistic : {"median", "mean"}) {
    const Value grouped = params({{"statistic", statistic}, {"groups", list({range(0, 37)})}});
    expect_identical(
        reference(grouped, stream_of(in, SampleType::int16), in),
        reference(params({{"statistic", statistic}}), stream_of(in, SampleType::int16), in),
        statistic);
  }
}

// Case B4: the difference may leave the range of int16; the writer clips and counts.
TEST(CommonReference, LeavesTheRangeOfItsInputUnharmed) {
  const Samples in = row({32767, -5, -5});
  expect_identical(reference(params({}), stream_of(in, SampleType::int16), in), row({32772, 0, 0}),
                   "B4");
  const Samples wide = row({32767, -32768, -32768});
  expect_identical(reference(params({}), stream_of(wide, SampleType::int16), wide),
                   row({65535, 0, 0}), "widest");
}

// Case B6: no channel of a short probe lies in the annulus.
TEST(CommonReference, TakesTheNearestChannelsWhenTheAnnulusIsEmpty) {
  StreamInfo stream = make_stream(1000, 3, 1);
  for (std::size_t c = 0; c < 3; ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  const Value spec = params({{"scope", "local"}, {"local_um", list({100, 400})}});
  expect_identical(reference(spec, stream, row({1, 10, 100})), row({1 - 55, 10 - 50.5, 94.5}),
                   "every other channel");
  EXPECT_THAT(plan(spec, stream)->decisions(),
              ::testing::Contains(::testing::HasSubstr("fewer than 5")));
  std::vector<std::string> decisions;
  StreamInfo line = make_stream(1000, 20, 1);
  for (std::size_t c = 0; c < 20; ++c) {
    line.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  CommonReference local;
  local.scope = ReferenceScope::local;
  local.local_um = {40, 100};
  const auto sets = reference_sets(local, line, decisions);
  EXPECT_THAT(sets[10].members, ::testing::ElementsAre(5, 6, 7, 13, 14, 15));  // 40 excluded
  EXPECT_THAT(sets[0].members, ::testing::ElementsAre(3, 4, 5, 6, 7));  // widened from 3 to 5
}

// Case B8.
TEST(CommonReference, TellsToNestAFlatListOfGroups) {
  expect_error(ErrorCode::invalid_spec, "nest", [] {
    reference(params({{"groups", list({0, 1, 2})}}), make_stream(1000, 4, 1), row({1, 2, 3, 4}));
  });
}
}  // namespace
}  // namespace weir::signal
