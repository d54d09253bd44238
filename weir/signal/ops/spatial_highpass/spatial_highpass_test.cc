#include "weir/signal/ops/spatial_highpass/spatial_highpass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/spatial_highpass/golden/";

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
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  return stream;
}

Samples filtered(const Value& params, const StreamInfo& stream, const Samples& in) {
  return testing::run_operator(spatial_highpass_operator(), params, stream, in).samples;
}

TEST(SpatialHighpass, Conforms) {
  testing::check_operator(spatial_highpass_operator(), Value::object(), probe(37, 3000),
                          {.int16_input = true});
}

TEST(SpatialHighpass, EqualsSciPy) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  const auto check = [&](const Value& params, const char* file) {
    SCOPED_TRACE(file);
    testing::expect_close(filtered(params, stream, in), load_npy(kGolden + file), 1e-6);
  };
  check(Value::object(), "default.npy");
  check(members({{"highpass_butter_order", 2},
                 {"highpass_butter_wn", 0.1},
                 {"n_channel_pad", 20},
                 {"n_channel_taper", 12}}),
        "taper.npy");
  check(members({{"highpass_butter_wn", 0.05}, {"n_channel_pad", 0}}), "bare.npy");
}

TEST(SpatialHighpass, ConformsWithGainControl) {
  StreamInfo stream = probe(37, 1200);
  stream.channels[5].gain = -0.5;
  stream.channels[7].unit = "degC";
  testing::check_operator(spatial_highpass_operator(),
                          members({{"apply_agc", true}, {"agc_window_length_s", 0.03}}), stream,
                          {.relative = 2e-6, .frames = 1200});
}

TEST(SpatialHighpass, ControlsTheGainAsIblDoes) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = probe(in.channels, in.frames);
  for (const auto& [window_s, file] : {std::pair{0.01, "agc.npy"}, {0.2, "agc_long.npy"}}) {
    const auto params = members({{"apply_agc", true}, {"agc_window_length_s", window_s}});
    testing::expect_close(filtered(params, stream, in), load_npy(kGolden + file), 1e-6);
  }
}

TEST(SpatialHighpass, FiltersEveryShankAlongItself) {
  const Samples in = load_npy(kGolden + "frames.npy");
  StreamInfo stream = probe(2 * in.channels, in.frames);
  Samples two{in.frames, 2 * in.channels, {}};
  two.values.resize(static_cast<std::size_t>(two.frames * two.channels));
  // Two shanks whose channels take turns, those of one numbered from its other end.
  for (std::int64_t c = 0; c < in.channels; ++c) {
    for (std::int64_t shank = 0; shank < 2; ++shank) {
      Channel& channel = stream.channels[static_cast<std::size_t>(2 * c + shank)];
      channel.group = std::to_string(shank);
      channel.position = {250.0 * static_cast<double>(shank),
                          20.0 * static_cast<double>(shank == 0 ? c : in.channels - c), 0};
      for (std::int64_t t = 0; t < in.frames; ++t) {
        two(t, 2 * c + shank) = in(t, shank == 0 ? c : in.channels - 1 - c);
      }
    }
  }
  const Samples out = filtered(Value::object(), stream, two);
  const Samples expected = load_npy(kGolden + "default.npy");
  for (std::int64_t t = 0; t < in.frames; ++t) {
    for (std::int64_t c = 0; c < in.channels; ++c) {
      EXPECT_NEAR(out(t, 2 * c), expected(t, c), 1e-4);
      EXPECT_NEAR(out(t, 2 * c + 1), expected(t, in.channels - 1 - c), 1e-4);
    }
  }
}

TEST(SpatialHighpass, TakesAwayWhatAllShare) {
  const Samples out = filtered(Value::object(), probe(40, 1), {1, 40, std::vector<float>(40, 100)});
  for (std::int64_t c = 0; c < 40; ++c) {
    EXPECT_NEAR(out(0, c), 0, 2e-4);
  }
}

TEST(SpatialHighpass, NamesTheFieldThatIsWrong) {
  StreamInfo stream = probe(8, 1);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text, [&] {
      spatial_highpass_operator().plan(params, {.in = stream, .temporary_folder = {}});
    });
  };
  refused(members({{"n_channel_pad", 2}}), "n_channel_pad: 8 channels and twice 2 are too few");
  refused(members({{"n_channel_taper", -1}}), "n_channel_taper");
  refused(members({{"highpass_butter_wn", 1}}), "highpass_butter_wn");
  refused(members({{"highpass_butter_order", 0}}), "highpass_butter_order");
  refused(members({{"direction", "up"}}), "direction");
  refused(members({{"agc_window_length_s", 0}}), "agc_window_length_s");
  stream.channels[5].position.reset();
  refused(Value::object(), "direction: an axis needs positions; channel 5");
}
}  // namespace
}  // namespace weir::signal
