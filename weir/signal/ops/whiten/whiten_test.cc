#include "weir/signal/ops/whiten/whiten.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/testing/conformance.h"
#include "weir/testing/probe.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/whiten/golden/";

Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

StreamInfo probe(std::int64_t channels, std::int64_t frames,
                 SampleType type = SampleType::float32) {
  StreamInfo stream = make_stream(30'000, channels, frames, type);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 40.0 * static_cast<double>(c), 0};
  }
  return stream;
}

Samples whitened(const Value& params, const StreamInfo& stream, const Samples& in) {
  return testing::run_operator(whiten_operator(), params, stream, in).samples;
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const Samples& samples, std::int64_t channel) {
  Moments found;
  const auto count = static_cast<double>(samples.frames);
  for (std::int64_t t = 0; t < samples.frames; ++t) {
    found.mean += samples(t, channel) / count;
  }
  for (std::int64_t t = 0; t < samples.frames; ++t) {
    const double apart = samples(t, channel) - found.mean;
    found.variance += apart * apart / count;
  }
  return found;
}

TEST(Whiten, Conforms) {
  testing::check_operator(whiten_operator(), Value::object(), probe(37, 3000),
                          {.relative = 1e-5, .int16_input = true});
}

TEST(Whiten, ConformsLocally) {
  testing::check_operator(whiten_operator(), members({{"mode", "local"}}), probe(37, 3000),
                          {.relative = 1e-5});
}

TEST(Whiten, EqualsNumPy) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  const auto check = [&](const Value& params, const char* file) {
    SCOPED_TRACE(file);
    testing::expect_close(whitened(params, stream, in), load_npy(kGolden + file), 2e-6);
  };
  check(Value::object(), "zca.npy");
  check(members({{"method", "pca"}}), "pca.npy");
  check(members({{"mode", "local"}}), "local.npy");
  check(members({{"mode", "local"}, {"nearest", 3}, {"eps", 0.01}}), "nearest.npy");
}

// Case B9: the covariance of int16 needs more than int16.
TEST(Whiten, MakesEveryVarianceOne) {
  const StreamInfo stream = probe(4, 30'000, SampleType::int16);
  Samples in = testing::noise(30'000, 4, 3000);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    for (std::int64_t c = 3; c > 0; --c) {
      in(t, c) = std::nearbyint(0.6F * in(t, c) + 0.4F * in(t, c - 1));
    }
    in(t, 0) = std::nearbyint(in(t, 0));
  }
  for (const char* mode : {"global", "local"}) {
    const Samples out = whitened(members({{"mode", mode}}), stream, in);
    for (std::int64_t c = 0; c < 4; ++c) {
      EXPECT_NEAR(moments(out, c).variance, 1, 0.05) << mode << " " << c;
    }
  }
}

// The scale-free epsilon: volts, microvolts and unequal gains give the same.
TEST(Whiten, DoesNotDependOnTheUnit) {
  const Samples in = load_npy(kGolden + "frames.npy");
  StreamInfo stream = probe(in.channels, in.frames);
  const Samples plain = whitened(Value::object(), stream, in);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].unit = c % 2 == 0 ? "V" : "mV";
    stream.channels[c].gain = c % 2 == 0 ? 1e-12 : 1e-9;
  }
  testing::expect_close(whitened(Value::object(), stream, in), plain, 2e-6);
}

// Case B11: a standard deviation of integer output is as many counts as were asked for.
TEST(Whiten, ScalesToCounts) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  const auto params = members({{"int_scale", 200}});
  const Samples out = whitened(params, stream, in);
  for (std::int64_t c = 0; c < out.channels; ++c) {
    EXPECT_NEAR(std::sqrt(moments(out, c).variance), 200, 1);
  }
  const auto step = whiten_operator().plan(params, {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.channels[0].gain, 1 / 200.0);
  EXPECT_EQ(step->ports()[0].stream.channels[0].unit, "");
}

TEST(Whiten, LeavesFramesWithNanOutOfTheFit) {
  Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  in(10, 3) = std::numeric_limits<float>::quiet_NaN();
  in(400, 7) = std::numeric_limits<float>::infinity();
  const Samples out = whitened(Value::object(), stream, in);
  for (std::int64_t t = 0; t < out.frames; ++t) {
    EXPECT_EQ(std::isfinite(out(t, 0)), t != 10 && t != 400) << t;
  }
}

TEST(Whiten, PassesWhatIsNoVoltage) {
  Samples in = load_npy(kGolden + "frames.npy");
  StreamInfo stream = probe(in.channels, in.frames);
  stream.channels[2].unit = "g";
  stream.channels[2].gain = 0.5;
  const Samples out = whitened(members({{"mode", "local"}}), stream, in);
  const auto step = whiten_operator().plan(Value::object(), {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.channels[2], stream.channels[2]);
  for (std::int64_t t = 0; t < out.frames; ++t) {
    ASSERT_EQ(out(t, 2), in(t, 2));
  }
}

TEST(Whiten, GivesZeroForAChannelThatNeverChanges) {
  Samples in = load_npy(kGolden + "frames.npy");
  for (std::int64_t t = 0; t < in.frames; ++t) {
    in(t, 4) = 7;
  }
  const StreamInfo stream = probe(in.channels, in.frames);
  for (const char* mode : {"global", "local"}) {
    const Samples out = whitened(members({{"mode", mode}}), stream, in);
    EXPECT_EQ(moments(out, 4).variance, 0);
    EXPECT_EQ(out(0, 4), 0);
    EXPECT_NEAR(moments(out, 3).variance, 1, 0.01);
  }
}

TEST(Whiten, KeepsItsMatrixInTheProvenance) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  const testing::BoundStep bound = testing::bind(whiten_operator(), Value::object(), stream);
  const Buffer data = testing::formed(bound, stream, in);
  const auto values = [&](std::int64_t block) {
    const auto fitter = bound.step->fitter();
    for (std::int64_t at = 0; at < in.frames; at += block) {
      fitter->add(data.block().slice(at, std::min(block, in.frames - at)));
    }
    return op::finish_alone(*fitter);
  };
  const Value fit = values(in.frames);
  EXPECT_EQ(fit.at("W").as_array().size(), 11);
  EXPECT_EQ(fit.at("frames").as_integer(), 700);
  EXPECT_EQ(to_json(values(1)), to_json(fit));
  EXPECT_EQ(to_json(values(97)), to_json(fit));
}

TEST(Whiten, NamesTheFieldThatIsWrong) {
  StreamInfo stream = probe(3, 100);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text,
                 [&] { whiten_operator().plan(params, {.in = stream, .temporary_folder = {}}); });
  };
  refused(members({{"radius_um", 50}}), "radius_um: only mode local has one");
  refused(members({{"nearest", 5}}), "nearest: only mode local");
  refused(members({{"mode", "local"}, {"nearest", 5}, {"radius_um", 50}}), "nearest: give either");
  refused(members({{"mode", "local"}, {"method", "pca"}}), "method: pca");
  refused(members({{"int_scale", 0}}), "int_scale");
  refused(members({{"eps", -1}}), "eps");
  stream.channels[1].position.reset();
  refused(members({{"mode", "local"}}),
          "mode: local needs positions; channel 1 (\"ch1\") has none");
  stream.channels[1].gain = 0;
  refused(Value::object(), "input: channel \"ch1\" has gain 0");
}
}  // namespace
}  // namespace weir::signal
