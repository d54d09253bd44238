#include "weir/signal/ops/bad_channels/bad_channels.h"

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

const std::string kGolden = "weir/signal/ops/bad_channels/golden/";

Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

StreamInfo probe(std::int64_t channels, std::int64_t frames, double rate_hz = 1000) {
  StreamInfo stream = make_stream(rate_hz, channels, frames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  return stream;
}

/// What all share, and a little of their own; channels from `outside` on share nothing.
Samples tissue(std::int64_t frames, std::int64_t channels, std::int64_t outside) {
  const Samples common = testing::noise(frames, 1, 3, 5);
  Samples samples = testing::noise(frames, channels, 1, 6);
  for (std::int64_t t = 0; t < frames; ++t) {
    for (std::int64_t c = 0; c < outside; ++c) {
      samples(t, c) += common(t, 0);
    }
  }
  return samples;
}

std::vector<std::string> labels_of(const Value& params, const StreamInfo& stream,
                                   const Samples& in) {
  const testing::BoundStep bound = testing::bind(bad_channels_operator(), params, stream);
  const Buffer data = testing::formed(bound, stream, in);
  const auto fitter = bound.step->fitter();
  fitter->add(data.block());
  const Value values = op::finish_alone(*fitter);
  std::vector<std::string> labels;
  for (const Value& label : values.at("labels").as_array()) {
    labels.push_back(label.as_string());
  }
  return labels;
}

/// A threshold of power that white noise does not reach at these rates.
const Value kQuiet = 1e3;

TEST(BadChannels, Conforms) {
  testing::check_operator(bad_channels_operator(), members({{"psd_hf_threshold", kQuiet}}),
                          probe(37, 3000), {.int16_input = true});
}

TEST(BadChannels, ConformsBySpread) {
  testing::check_operator(bad_channels_operator(), members({{"method", "mad"}, {"action", "zero"}}),
                          probe(37, 3000));
}

TEST(BadChannels, ScoresAsPublished) {
  const Samples chunk = load_npy(kGolden + "chunk.npy");
  const Samples expected = load_npy(kGolden + "scores.npy");
  std::vector<double> columns;
  for (std::int64_t c = 0; c < chunk.channels; ++c) {
    for (std::int64_t t = 0; t < chunk.frames; ++t) {
      columns.push_back(chunk(t, c));
    }
  }
  const auto scores =
      score_chunk(columns, chunk.channels, {.rate_hz = 2000, .window = 40, .n_neighbors = 5});
  for (std::int64_t c = 0; c < chunk.channels; ++c) {
    const auto at = static_cast<std::size_t>(c);
    EXPECT_NEAR(scores.neighbours[at], expected(0, c), 1e-6);
    EXPECT_NEAR(scores.distant[at], expected(1, c), 1e-6);
    EXPECT_NEAR(scores.high_power[at], expected(2, c), 1e-6 * expected(2, c));
  }
  BadChannels params;
  params.psd_hf_threshold = 0.5;
  const auto labels = label_chunk(scores, params);
  for (std::int64_t c = 0; c < chunk.channels; ++c) {
    const auto wanted = c == 7    ? ChannelLabel::dead
                        : c == 15 ? ChannelLabel::noise
                        : c >= 24 ? ChannelLabel::out
                                  : ChannelLabel::good;
    EXPECT_EQ(labels[static_cast<std::size_t>(c)], wanted) << c;
  }
}

// Case B20: the ends of the run outside are those it has.
TEST(BadChannels, OutsideAreThoseAtTheTopThatShareNothing) {
  const std::int64_t channels = 100;
  const StreamInfo stream = probe(channels, 10'500);
  const Samples in = tissue(10'500, channels, channels - 26);
  const auto labels = labels_of(members({{"psd_hf_threshold", kQuiet}}), stream, in);
  for (std::int64_t c = 0; c < channels; ++c) {
    EXPECT_EQ(labels[static_cast<std::size_t>(c)], c < channels - 26 ? "good" : "out") << c;
  }
  const auto below = labels_of(
      members({{"psd_hf_threshold", kQuiet}, {"outside_channels_location", "bottom"}}), stream, in);
  EXPECT_EQ(std::count(below.begin(), below.end(), "out"), 0);
}

TEST(BadChannels, LooksAlongTheProbeNotAlongTheFile) {
  const std::int64_t channels = 60;
  StreamInfo stream = probe(channels, 2000);
  Samples in = tissue(2000, channels, channels - 10);
  Samples shuffled = in;
  for (std::int64_t c = 0; c < channels; ++c) {
    const std::int64_t from = c * 7 % channels;
    stream.channels[static_cast<std::size_t>(c)].position = {0, 20.0 * static_cast<double>(from),
                                                             0};
    for (std::int64_t t = 0; t < in.frames; ++t) {
      shuffled(t, c) = in(t, from);
    }
  }
  const auto labels = labels_of(members({{"psd_hf_threshold", kQuiet}}), stream, shuffled);
  for (std::int64_t c = 0; c < channels; ++c) {
    EXPECT_EQ(labels[static_cast<std::size_t>(c)] == "out", c * 7 % channels >= channels - 10) << c;
  }
}

TEST(BadChannels, InterpolatesZeroesOrMarks) {
  const StreamInfo stream = probe(20, 2000);
  Samples in = tissue(2000, 20, 20);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    in(t, 8) = 5;
  }
  const auto cured = [&](const char* action) {
    return testing::run_operator(bad_channels_operator(),
                                 members({{"action", action}, {"psd_hf_threshold", kQuiet}}),
                                 stream, in)
        .samples;
  };
  const Samples made = cured("interpolate");
  const Samples zeroed = cured("zero");
  EXPECT_EQ(cured("mark"), in);
  double error = 0;
  for (std::int64_t t = 0; t < in.frames; ++t) {
    EXPECT_EQ(zeroed(t, 8), 0);
    EXPECT_EQ(made(t, 7), in(t, 7));
    error += std::fabs(made(t, 8) - (in(t, 7) + in(t, 9)) / 2) / 2000;
  }
  EXPECT_LT(error, 0.5);
}

TEST(BadChannels, KnowsNoiseAndSilenceByTheirSpread) {
  const StreamInfo stream = probe(12, 3000);
  Samples in = testing::noise(3000, 12, 4);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    in(t, 3) *= 9;
    in(t, 5) = std::numeric_limits<float>::quiet_NaN();
    in(t, 9) = 1;
  }
  for (const char* method : {"std", "mad"}) {
    const auto labels = labels_of(members({{"method", method}}), stream, in);
    for (std::size_t c = 0; c < 12; ++c) {
      EXPECT_EQ(labels[c], c == 3 ? "noise" : c == 5 || c == 9 ? "dead" : "good") << method << c;
    }
  }
}

TEST(BadChannels, SaysWhatItFound) {
  const StreamInfo stream = probe(12, 3000);
  const auto step = bad_channels_operator().plan(members({{"method", "mad"}}),
                                                 {.in = stream, .temporary_folder = {}});
  Value labels = Value::array();
  for (int c = 0; c < 12; ++c) {
    labels.push_back(c == 4 ? "dead" : c > 10 ? "out" : "good");
  }
  const auto fitted = step->fitted(Value(Value::Object{{"labels", labels}}));
  EXPECT_EQ(fitted->decisions(), (std::vector<std::string>{"dead: 4", "out: 11"}));
  expect_error(ErrorCode::invalid_spec, "labels: 0 for 12 channels",
               [&] { step->fitted(Value(Value::Object{{"labels", Value::array()}})); });
}

TEST(BadChannels, NamesTheFieldThatIsWrong) {
  StreamInfo stream = probe(8, 100);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text, [&] {
      bad_channels_operator().plan(params, {.in = stream, .temporary_folder = {}});
    });
  };
  refused(members({{"n_neighbors", 4}}), "n_neighbors: 4 is even");
  refused(members({{"welch_window_ms", 3}}), "welch_window_ms: 3 ms are 3 samples");
  refused(members({{"nyquist_threshold", 1.5}}), "nyquist_threshold");
  refused(members({{"method", "best"}}), "method");
  stream.channels[5].position.reset();
  refused(Value::object(), "direction: an axis needs positions; channel 5");
  refused(members({{"method", "mad"}}), "action: interpolate needs positions; channel 5");
}
}  // namespace
}  // namespace weir::signal
