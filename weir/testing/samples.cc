#include "weir/testing/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "weir/signal/generate/counter_random.h"

namespace weir::testing {

Samples make_samples(std::int64_t frames, std::int64_t channels,
                     const std::function<double(std::int64_t, std::int64_t)>& value) {
  Samples samples{frames, channels,
                  std::vector<float>(static_cast<std::size_t>(frames * channels))};
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      samples(frame, channel) = static_cast<float>(value(frame, channel));
    }
  }
  return samples;
}

Samples noise(std::int64_t frames, std::int64_t channels, double sd, std::uint64_t seed) {
  const std::uint64_t key = signal::key_of(seed, 0);
  return make_samples(frames, channels, [&](std::int64_t frame, std::int64_t channel) {
    return sd * signal::normal(key, static_cast<std::uint64_t>(frame * channels + channel));
  });
}

StreamInfo make_stream(double rate_hz, std::int64_t channels, std::int64_t frames,
                       SampleType type) {
  StreamInfo stream;
  stream.rate = SampleRate::from_hz(rate_hz);
  stream.channels = make_channels(channels, 1, 0, "uV");
  stream.segments.resize(1);
  stream.segments.front().frames = frames;
  stream.type = type;
  return stream;
}

namespace {
std::string shape_text(const Samples& samples) {
  return std::to_string(samples.frames) + " x " + std::to_string(samples.channels);
}

bool same_shape(const Samples& actual, const Samples& expected, const std::string& what) {
  const bool same = actual.frames == expected.frames && actual.channels == expected.channels;
  EXPECT_TRUE(same) << what << ": [" << shape_text(actual) << "] instead of ["
                    << shape_text(expected) << "]";
  return same;
}

/// Two NaN agree, as do two equal infinities; one alone is infinitely wrong.
double difference(double actual, double expected) {
  if (std::isnan(actual) && std::isnan(expected)) {
    return 0;
  }
  if (!std::isfinite(actual) || !std::isfinite(expected)) {
    return actual == expected ? 0 : std::numeric_limits<double>::infinity();
  }
  return std::fabs(actual - expected);
}
}  // namespace

void expect_close(const Samples& actual, const Samples& expected, double relative) {
  if (!same_shape(actual, expected, "shape")) {
    return;
  }
  double full_scale = 1e-30;
  double worst = 0;
  std::int64_t worst_at = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double error = difference(actual.values[i], expected.values[i]);
    if (std::isfinite(expected.values[i])) {
      full_scale = std::max(full_scale, std::fabs(double{expected.values[i]}));
    }
    if (error > worst) {
      worst = error;
      worst_at = static_cast<std::int64_t>(i);
    }
  }
  const std::int64_t channels = std::max<std::int64_t>(1, expected.channels);
  EXPECT_LE(worst, relative * full_scale)
      << "at frame " << worst_at / channels << ", channel " << worst_at % channels
      << ": relative error " << worst / full_scale;
}

void expect_identical(const Samples& actual, const Samples& expected, const std::string& what) {
  if (!same_shape(actual, expected, what)) {
    return;
  }
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(actual.values[i]) !=
        std::bit_cast<std::uint32_t>(expected.values[i])) {
      ADD_FAILURE() << what << ": frame " << static_cast<std::int64_t>(i) / expected.channels
                    << ", channel " << static_cast<std::int64_t>(i) % expected.channels << " is "
                    << actual.values[i] << " instead of " << expected.values[i];
      return;
    }
  }
}

}  // namespace weir::testing
