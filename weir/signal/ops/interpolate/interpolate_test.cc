#include "weir/signal/ops/interpolate/interpolate.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/interpolate/golden/";

Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

StreamInfo probe(std::int64_t channels, std::int64_t frames) {
  StreamInfo stream = make_stream(1000, channels, frames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(c / 2), 0};
  }
  return stream;
}

Samples interpolated(const Value& params, const StreamInfo& stream, const Samples& in) {
  return testing::run_operator(interpolate_operator(), params, stream, in).samples;
}

TEST(Interpolate, Conforms) {
  testing::check_operator(interpolate_operator(), members({{"channels", Value::Array{3, "ch20"}}}),
                          probe(37, 3000), {.int16_input = true});
}

TEST(Interpolate, EqualsThePublishedWeights) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  const Value bad = Value::Array{23, 3, "ch4"};
  testing::expect_close(interpolated(members({{"channels", bad}}), stream, in),
                        load_npy(kGolden + "default.npy"), 1e-6);
  testing::expect_close(
      interpolated(members({{"channels", bad}, {"sigma_um", 60}, {"p", 1}}), stream, in),
      load_npy(kGolden + "wide.npy"), 1e-6);
}

TEST(Interpolate, LeavesGoodChannelsAloneWhateverTheBadOnesHold) {
  Samples in = testing::noise(50, 10, 20);
  in(7, 5) = std::numeric_limits<float>::quiet_NaN();
  in(8, 5) = std::numeric_limits<float>::infinity();
  const Samples out = interpolated(members({{"channels", 5}}), probe(10, 50), in);
  for (std::int64_t t = 0; t < 50; ++t) {
    for (std::int64_t c = 0; c < 10; ++c) {
      EXPECT_TRUE(std::isfinite(out(t, c)));
      if (c != 5) {
        EXPECT_EQ(out(t, c), in(t, c));
      }
    }
  }
}

TEST(Interpolate, WeighsPhysicalValues) {
  StreamInfo stream = probe(3, 1);
  stream.channels[1].position = {0, 10, 0};
  stream.channels[2].position = {0, 20, 0};
  stream.channels[0].gain = 0.5;
  stream.channels[1].gain = 4;
  const Samples out =
      interpolated(members({{"channels", 1}, {"sigma_um", 10}}), stream, {1, 3, {8, 100, 12}});
  EXPECT_EQ(out(0, 1) * 4, 8);  // between 4 and 12 uV
}

TEST(Interpolate, NamesTheFieldThatIsWrong) {
  StreamInfo stream = probe(6, 1);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text, [&] {
      interpolate_operator().plan(params, {.in = stream, .temporary_folder = {}});
    });
  };
  refused(Value::object(), "channels: is required");
  refused(members({{"channels", 9}}), "channels: there is no channel 9");
  refused(members({{"channels", Value::Array{1, 1}}}),
          "channels: channel 1 (\"ch1\") is given twice");
  refused(members({{"channels", 0}, {"sigma_um", 0}}), "sigma_um");
  refused(members({{"channels", 0}, {"sigma_um", 1}}), "channels: channel 0 (\"ch0\") has no good");
  refused(members({{"channels", Value::Array{0, 1, 2, 3, 4, 5}}}), "has no good channel within");
  stream.channels[2].unit = "g";
  refused(members({{"channels", 2}}), "channels: channel 2 (\"ch2\", unit \"g\") is no voltage");
  stream.channels[4].position.reset();
  refused(members({{"channels", 0}}), "channels: interpolation needs positions; channel 4");
}
}  // namespace
}  // namespace weir::signal
