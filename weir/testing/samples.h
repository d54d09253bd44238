#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "weir/core/stream.h"

namespace weir::testing {

/// Owned samples for tests.
/// Shape: [frames, channels], packed.
struct Samples {
  std::int64_t frames = 0;
  std::int64_t channels = 0;
  std::vector<float> values;

  float& operator()(std::int64_t frame, std::int64_t channel) {
    return values[frame * channels + channel];
  }
  float operator()(std::int64_t frame, std::int64_t channel) const {
    return values[frame * channels + channel];
  }
  friend bool operator==(const Samples&, const Samples&) = default;
};

/// Filled by `value(frame, channel)`.
Samples make_samples(std::int64_t frames, std::int64_t channels,
                     const std::function<double(std::int64_t, std::int64_t)>& value);
/// Seeded Gaussian noise, the same on every machine.
Samples noise(std::int64_t frames, std::int64_t channels, double sd, std::uint64_t seed = 1);

/// A one-segment stream of `channels` microvolt channels with gain 1.
StreamInfo make_stream(double rate_hz, std::int64_t channels, std::int64_t frames,
                       SampleType type = SampleType::float32);

/// Golden data: a little-endian .npy of float32, float64, int16 or int64, one or two dimensions;
/// one is [frames, 1]. Relative paths are taken from the source tree's root.
Samples load_npy(const std::filesystem::path& path);

/// Largest absolute difference is at most `relative` times the largest magnitude in `expected` (at
/// least 1e-30).
void expect_close(const Samples& actual, const Samples& expected, double relative);
/// Same shape and the same bits.
void expect_identical(const Samples& actual, const Samples& expected, const std::string& what);

}  // namespace weir::testing
