#include "weir/signal/ops/median/median.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/median/median_network.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::expect_close;
using testing::expect_error;
using testing::expect_identical;
using testing::load_npy;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Value width(std::int64_t frames) {
  return Value(Value::Object{{"width", frames}});
}

Samples golden(const std::string& name) {
  return load_npy("weir/signal/ops/median/golden/" + name + ".npy");
}

Samples median(std::int64_t frames, const Samples& in, const Cuts& cuts = {}) {
  return run_operator(median_operator(), width(frames), make_stream(1000, in.channels, in.frames),
                      in, cuts)
      .samples;
}

/// Order and count agree everywhere; only a network that sorts every 0-1 sequence sorts all.
template <std::size_t kCount>
void expect_sorts_zeros_and_ones() {
  for (unsigned bits = 0; bits < 1U << kCount; ++bits) {
    std::array<int, kCount> values{};
    for (std::size_t i = 0; i < kCount; ++i) {
      values[i] = static_cast<int>(bits >> i & 1U);
    }
    for (const auto [low, high] : sorting_network<kCount>()) {
      if (values[low] > values[high]) {
        std::swap(values[low], values[high]);
      }
    }
    ASSERT_TRUE(std::is_sorted(values.begin(), values.end())) << kCount << " values, " << bits;
  }
}

TEST(MedianNetwork, SortsEverySequenceOfZerosAndOnes) {
  expect_sorts_zeros_and_ones<1>();
  expect_sorts_zeros_and_ones<2>();
  expect_sorts_zeros_and_ones<3>();
  expect_sorts_zeros_and_ones<4>();
  expect_sorts_zeros_and_ones<5>();
  expect_sorts_zeros_and_ones<6>();
  expect_sorts_zeros_and_ones<7>();
  expect_sorts_zeros_and_ones<8>();
  EXPECT_EQ(sorting_network<4>().size(), 5U);
  EXPECT_EQ(sorting_network<8>().size(), 19U);
}

TEST(Median, ConformsByNetwork) {
  testing::check_operator(median_operator(), width(9), make_stream(1000, 37, 3000),
                          {.relative = 0, .int16_input = true});
}

TEST(Median, ConformsByWindow) {
  testing::check_operator(median_operator(), width(33), make_stream(1000, 37, 3000),
                          {.relative = 0, .int16_input = true});
}

TEST(Median, EqualsSciPyExactly) {
  const Samples in = golden("counts");
  for (const std::int64_t frames : {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 33, 101, 401}) {
    SCOPED_TRACE(frames);
    expect_close(median(frames, in), golden("width_" + std::to_string(frames)), 0);
  }
}

TEST(Median, PassesNanToTheWindowsThatHoldIt) {
  const Samples in = golden("nan");
  for (const std::int64_t frames : {3, 9, 33}) {
    SCOPED_TRACE(frames);
    expect_close(median(frames, in), golden("nan_" + std::to_string(frames)), 0);
  }
}

TEST(Median, DoesNotDependOnTheCut) {
  const Samples in = golden("nan");
  for (const std::int64_t frames : {1, 9, 17, 19, 101}) {
    const Samples whole = median(frames, in);
    for (const auto& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {2, 7, 1, 64}},
                             Cuts{.frames = {40}, .reload_state = true},
                             Cuts{.frames = {3, 5}, .reload_state = true}}) {
      expect_identical(median(frames, in, cuts), whole, std::to_string(frames));
    }
  }
}

TEST(Median, KeepsSegmentsApart) {
  const Samples in = golden("counts");
  StreamInfo stream = make_stream(1000, in.channels, 100);
  stream.segments.push_back(stream.segments[0]);
  stream.segments[1].frames = 3;  // shorter than the window
  stream.segments.push_back(stream.segments[0]);
  stream.segments[2].frames = in.frames - 103;
  const Samples all = run_operator(median_operator(), width(9), stream, in).samples;
  ASSERT_EQ(all.frames, in.frames);
  std::int64_t first = 0;
  for (const auto& segment : stream.segments) {
    const auto part = [&](const Samples& of) {
      Samples rows{segment.frames, of.channels, {}};
      rows.values.assign(of.values.begin() + first * of.channels,
                         of.values.begin() + (first + segment.frames) * of.channels);
      return rows;
    };
    expect_identical(part(all), median(9, part(in)), "segment");
    first += segment.frames;
  }
}

TEST(Median, GivesOneSignToZero) {
  const Samples in{4, 1, {-0.0F, -0.0F, -0.0F, -0.0F}};
  for (const std::int64_t frames : {1, 3, 9, 19}) {
    for (const float value : median(frames, in).values) {
      EXPECT_FALSE(std::signbit(value)) << frames;
    }
  }
}

// Promise P5, case C4: outside the segment stands 0 physical units, not count 0.
TEST(Median, SeesZeroPhysicalUnitsOutside) {
  StreamInfo stream = make_stream(1000, 1, 3, SampleType::int16);
  stream.channels[0].gain = 0.195;
  stream.channels[0].offset = -6389.76;
  const Samples in{3, 1, {32534, 32534, 32534}};
  const Samples out = run_operator(median_operator(), width(5), stream, in).samples;
  EXPECT_NEAR(out(1, 0) * 0.195, -45.63, 1e-3);
  EXPECT_NEAR(out(0, 0) * 0.195, -45.63, 1e-3);  // two zeros of five
  const Samples wide = run_operator(median_operator(), width(7), stream, in).samples;
  EXPECT_EQ(wide(0, 0), 0);  // four of seven
}

TEST(Median, TellsItsLatency) {
  const auto step =
      median_operator().plan(width(9), {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
  EXPECT_EQ(step->latency().at_start, 4);
  EXPECT_EQ(step->latency().steady, 4);
  EXPECT_EQ(step->parallel(), op::Parallel::channels);
}

TEST(Median, NamesTheFieldThatIsWrong) {
  const auto refused = [](const std::string& part, const Value& spec) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      median_operator().plan(spec, {.in = make_stream(1000, 1, 1), .temporary_folder = {}});
    });
  };
  refused("width: 8 is even", width(8));
  refused("width: -1 is too small", width(-1));
  refused("width: 10003 is too large", width(10'003));
  refused("width: is required", Value(Value::Object{}));
  refused("edge: \"odd\" is not one of: zero",
          Value(Value::Object{{"kernel_size", 3}, {"edge", "odd"}}));
}
}  // namespace
}  // namespace weir::signal
