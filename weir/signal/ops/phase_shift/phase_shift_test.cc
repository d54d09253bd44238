#include "weir/signal/ops/phase_shift/phase_shift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Cuts;
using testing::make_samples;
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/phase_shift/golden/";

Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

Value numbers(const std::vector<double>& values) {
  Value list = Value::array();
  for (const double value : values) {
    list.push_back(value);
  }
  return list;
}

/// Channels `first`, `first` + 1, … of a probe's file.
StreamInfo saved(std::int64_t first, std::int64_t channels, std::int64_t frames) {
  StreamInfo in = make_stream(30000, channels, frames);
  for (std::int64_t c = 0; c < channels; ++c) {
    in.channels[static_cast<std::size_t>(c)].source_index = first + c;
  }
  return in;
}

/// What a probe makes of a signal that is the same on all its channels: each takes it a little
/// later.
Samples sampled_in_turns(std::int64_t frames, std::int64_t channels,
                         const std::function<double(double)>& signal) {
  return make_samples(frames, channels, [&](std::int64_t f, std::int64_t c) {
    return signal(static_cast<double>(f) + adc_shift(c, 12, 13));
  });
}

/// Over the frames whose support lies inside, of channel 0's amplitude, which needs no shift.
double rms_error(const Samples& y, std::int64_t channel) {
  double error = 0;
  double scale = 0;
  for (std::int64_t f = 20; f < y.frames - 20; ++f) {
    error += std::pow(y(f, channel) - y(f, 0), 2);
    scale += std::pow(y(f, 0), 2);
  }
  return std::sqrt(error / scale);
}

TEST(PhaseShift, EqualsNumPyForAnyCut) {
  const Samples x = testing::load_npy(kGolden + "x.npy");
  Value given = numbers({0, 0.25, -0.5, 0.999, 1, -1, 0.5, 1.0 / 3, -1.0 / 3, 0.1, 0.9, -0.01, 0});
  given =
      params({{"inter_sample_shift", given}, {"taps", 16}, {"kaiser_beta", 6.0}, {"edge", "zero"}});
  const struct {
    std::string file;
    Value rules;
    StreamInfo in;
  } cases[] = {{"probe", params({{"probe", "neuropixels_1"}}), saved(200, 13, x.frames)},
               {"given", given, saved(0, 13, x.frames)}};
  for (const auto& one : cases) {
    const Samples whole = run_operator(phase_shift_operator(), one.rules, one.in, x).samples;
    testing::expect_close(whole, testing::load_npy(kGolden + one.file + ".npy"), 1e-6);
    for (const Cuts& cuts : {Cuts{.frames = {1}}, Cuts{.frames = {31, 7, 64, 1, 200}},
                             Cuts{.frames = {5, 100}, .reload_state = true}}) {
      testing::expect_identical(
          run_operator(phase_shift_operator(), one.rules, one.in, x, cuts).samples, whole,
          one.file);
    }
  }
}

TEST(PhaseShift, KnowsWhenAProbeTakesAChannel) {  // case B12
  const Samples shifts = testing::load_npy(kGolden + "shifts.npy");
  const auto expect = [&](const Value& rules, std::int64_t column) {
    const auto step =
        phase_shift_operator().plan(rules, {.in = saved(0, 384, 10), .temporary_folder = {}});
    PhaseShift read;
    read.channels_per_adc = column == 2 ? 16 : 12;
    read.cycles = column == 0 ? 13 : (column == 1 ? 12 : 16);
    const auto all = phase_shifts(read, saved(0, 384, 10).channels);
    const auto half = phase_shifts(read, saved(200, 184, 10).channels);
    for (std::int64_t c = 0; c < 384; ++c) {
      EXPECT_FLOAT_EQ(static_cast<float>(all[static_cast<std::size_t>(c)]), shifts(c, column)) << c;
      if (c >= 200) {
        EXPECT_EQ(half[static_cast<std::size_t>(c - 200)], all[static_cast<std::size_t>(c)]);
      }
    }
    EXPECT_THAT(step->decisions()[0], ::testing::HasSubstr("0.2 % up to 118"));
  };
  expect(params({{"probe", "NP1"}}), 0);
  expect(params({{"probe", "neuropixels_1"}, {"cycles", 12}}), 1);
  expect(params({{"probe", "NP2"}}), 2);
  expect(params({{"channels_per_adc", 16}}), 2);
}

TEST(PhaseShift, BringsAToneToTheSamePhaseOnAllChannels) {  // case B13
  for (const double hz : {300.0, 3000.0, 6000.0, 10000.0}) {
    const Samples x = sampled_in_turns(2000, 26, [&](double frame) {
      return 200 * std::sin(2 * std::numbers::pi * hz / 30000 * frame + 0.3);
    });
    const Samples y =
        run_operator(phase_shift_operator(), params({{"probe", "NP1"}}), saved(0, 26, x.frames), x)
            .samples;
    for (std::int64_t c = 0; c < 26; ++c) {
      EXPECT_LT(rms_error(y, c), 1e-3) << hz << " Hz, channel " << c;
    }
    EXPECT_GT(rms_error(x, 2), 1e-3) << "the shift must be worth taking off";
  }
}

/// 60 tones of random phase up to 6 kHz: noise of that band, known between the samples.
double band_noise(double frame) {
  double sum = 0;
  for (int i = 1; i <= 60; ++i) {
    sum += std::sin(2 * std::numbers::pi * 100 * i / 30000 * frame + i * i * 0.7);
  }
  return 20 * sum;
}

TEST(PhaseShift, HasNoSeamsInNoiseUpToSixKilohertz) {  // cases A17, B15
  const Samples x = sampled_in_turns(3000, 26, band_noise);
  const Value rules = params({{"probe", "NP1"}});
  const auto shifted = [&](const Cuts& cuts) {
    return run_operator(phase_shift_operator(), rules, saved(0, 26, x.frames), x, cuts).samples;
  };
  const Samples whole = shifted({});
  const Samples cut = shifted({.frames = {1024}});
  testing::expect_identical(cut, whole, "blocks of 1024");
  testing::expect_identical(shifted({.frames = {256}}), whole, "blocks of 256");
  for (std::int64_t c = 0; c < 26; ++c) {
    EXPECT_LT(rms_error(whole, c), 2e-3) << c;
    double inside = 0;
    double at_seams = 0;
    for (std::int64_t f = 20; f < 2980; ++f) {
      double& worst = f % 1024 < 12 || f % 1024 >= 1012 ? at_seams : inside;
      worst = std::max(worst, std::fabs(double{cut(f, c)} - cut(f, 0)));
    }
    EXPECT_LE(at_seams, inside) << c;
  }
}

TEST(PhaseShift, LeavesChannelsAloneThatAreNoElectrodes) {
  StreamInfo in = saved(0, 4, 300);
  in.channels[3].unit = "";
  in.channels[3].source_index = 384;
  const Samples x = testing::noise(300, 4, 10);
  for (const Value& rules :
       {params({{"probe", "NP2"}}), params({{"inter_sample_shift", numbers({0, 0, 0.5, 0.5})}})}) {
    const Samples y = run_operator(phase_shift_operator(), rules, in, x).samples;
    for (std::int64_t f = 0; f < x.frames; ++f) {
      ASSERT_EQ(y(f, 3), x(f, 3)) << f;
      ASSERT_EQ(y(f, 0), x(f, 0)) << f;
      ASSERT_NE(y(f, 2), x(f, 2)) << f;
    }
  }
}

TEST(PhaseShift, KeepsAConstant) {
  const Samples x = make_samples(100, 26, [](auto, auto) { return 1000; });
  const Samples y =
      run_operator(phase_shift_operator(), params({{"probe", "NP1"}}), saved(0, 26, 100), x)
          .samples;
  for (const float value : y.values) {
    ASSERT_NEAR(value, 1000, 1e-3);
  }
}

TEST(PhaseShift, SpreadsNanOverTheTapsAlone) {
  Samples x = testing::noise(100, 3, 10);
  x(50, 1) = std::numeric_limits<float>::quiet_NaN();
  const Samples y =
      run_operator(phase_shift_operator(), params({{"inter_sample_shift", numbers({0, 0.5, 0})}}),
                   saved(0, 3, 100), x)
          .samples;
  for (std::int64_t f = 0; f < 100; ++f) {
    EXPECT_FALSE(std::isnan(y(f, 0)) || std::isnan(y(f, 2)));
    EXPECT_EQ(std::isnan(y(f, 1)), f >= 39 && f <= 62) << f;
  }
}

TEST(PhaseShift, NamesTheFieldThatIsWrong) {
  const auto refuses = [](const char* part, const Value& rules) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      phase_shift_operator().plan(rules, {.in = saved(200, 4, 100), .temporary_folder = {}});
    });
  };
  refuses("probe: is required", params({}));
  refuses("probe: is required", params({{"cycles", 13}}));
  refuses("\"NP3\" is not one of: neuropixels_1, neuropixels_2", params({{"probe", "NP3"}}));
  refuses("cycles: 11 turns are too few for 12 channels",
          params({{"probe", "NP1"}, {"cycles", 11}}));
  refuses("inter_sample_shift: 2 values, but channel \"ch0\" is number 200",
          params({{"inter_sample_shift", numbers({0, 0.5})}}));
  refuses("inter_sample_shift: give either",
          params({{"inter_sample_shift", numbers({0, 0.5})}, {"probe", "NP1"}}));
  refuses("taps: 23 is odd", params({{"probe", "NP1"}, {"taps", 23}}));
  refuses("taps", params({{"probe", "NP1"}, {"taps", 2}}));
}

TEST(PhaseShift, Conforms) {
  testing::check_operator(phase_shift_operator(), params({{"probe", "NP1"}}), saved(0, 37, 1000));
  testing::check_operator(phase_shift_operator(),
                          params({{"probe", "NP2"}, {"taps", 130}, {"edge", "zero"}}),
                          saved(0, 5, 1000));
}

}  // namespace
}  // namespace weir::signal
