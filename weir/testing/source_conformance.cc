#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "weir/core/error.h"
#include "weir/testing/format_conformance.h"

namespace weir::testing {
namespace {
std::vector<std::int64_t> all_channels(const RecordingSource& source) {
  std::vector<std::int64_t> channels(source.info().channels.size());
  std::iota(channels.begin(), channels.end(), 0);
  return channels;
}

/// One segment, read once as a whole, against which every other way of reading is held.
struct Whole {
  const RecordingSource& source;
  std::int64_t segment;
  std::int64_t frames;
  std::int64_t channels;
  std::vector<float> values;

  float at(std::int64_t frame, std::int64_t channel) const {
    return values[static_cast<std::size_t>(frame * channels + channel)];
  }
};

template <class T>
void read_into(const Whole& whole, std::int64_t first, std::span<const std::int64_t> channels,
               Block<T> out) {
  if constexpr (sizeof(T) == 2) {
    whole.source.read_stored(whole.segment, first, channels, out);
  } else {
    whole.source.read(whole.segment, first, channels, out);
  }
}

template <class T>
void check_piece(const Whole& whole, std::int64_t first, std::int64_t count,
                 const std::vector<std::int64_t>& channels) {
  const auto type = sizeof(T) == 2 ? SampleType::int16 : SampleType::float32;
  const Buffer buffer(type, std::max(count, std::int64_t{1}),
                      static_cast<std::int64_t>(channels.size()));
  const auto out = buffer.as<T>().slice(0, count);
  read_into(whole, first, channels, out);
  for (std::int64_t f = 0; f < count; ++f) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const auto got = static_cast<float>(out(f, static_cast<std::int64_t>(c)));
      ASSERT_EQ(got, whole.at(first + f, channels[c]))
          << "segment " << whole.segment << " frame " << first + f << " channel " << channels[c]
          << " in a read of " << count << " frames from " << first;
    }
  }
}

template <class T>
void check_pieces(const Whole& whole, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  for (int i = 0; i < 24; ++i) {
    const std::int64_t first = below(whole.frames + 1);
    const std::int64_t longest = i % 3 == 0 ? whole.frames : std::int64_t{7};
    const std::int64_t count = below(std::min(whole.frames - first, longest) + 1);
    auto channels = all_channels(whole.source);
    if (i % 2 == 1) {
      std::shuffle(channels.begin(), channels.end(), random);
      channels.resize(static_cast<std::size_t>(1 + below(whole.channels)));
    }
    check_piece<T>(whole, first, count, channels);
  }
  check_piece<T>(whole, whole.frames, 0, all_channels(whole.source));
}

void check_segment(const Whole& whole) {
  check_pieces<float>(whole, 1);
  if (whole.source.stored_as_int16()) {
    check_pieces<std::int16_t>(whole, 2);
  }
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    threads.emplace_back([&whole, seed] { check_pieces<float>(whole, seed); });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}

/// At most `frames` frames from `first`, thrown away.
void sample(const RecordingSource& source, std::int64_t segment, std::int64_t first,
            std::int64_t frames) {
  const auto channels = all_channels(source);
  const auto count = std::min(frames, source.info().segments[segment].frames - first);
  const Buffer buffer(SampleType::float32, count, source.info().channel_count());
  source.read(segment, first, channels, buffer.as<float>());
  if (source.stored_as_int16()) {
    const Buffer stored(SampleType::int16, count, source.info().channel_count());
    source.read_stored(segment, first, channels, stored.as<std::int16_t>());
  }
}
}  // namespace

std::vector<float> read_all(const RecordingSource& source, std::int64_t segment) {
  const auto channels = all_channels(source);
  const std::int64_t frames = source.info().segments.at(static_cast<std::size_t>(segment)).frames;
  const std::int64_t width = source.info().channel_count();
  std::vector<float> values(static_cast<std::size_t>(frames * width));
  source.read(segment, 0, channels, {values.data(), frames, width, width});
  return values;
}

void check_source(const RecordingSource& source) {
  const auto& info = source.info();
  ASSERT_GT(info.channel_count(), 0);
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.format.empty());
  for (std::int64_t s = 0; s < static_cast<std::int64_t>(info.segments.size()); ++s) {
    EXPECT_EQ(info.segments[s].index, s);
    EXPECT_EQ(info.segments[s].first_frame, 0);
    check_segment({source, s, info.segments[s].frames, info.channel_count(), read_all(source, s)});
  }
}

std::vector<std::span<const std::byte>> parts_of(std::span<const std::byte> input,
                                                 std::size_t count) {
  std::vector<std::span<const std::byte>> parts;
  while (parts.size() + 1 < count) {
    const auto end = std::find(input.begin(), input.end(), std::byte{0});
    const auto length = static_cast<std::size_t>(end - input.begin());
    parts.push_back(input.first(length));
    input = input.subspan(std::min(length + 1, input.size()));
  }
  parts.push_back(input);
  return parts;
}

void try_source(const formats::Format& format, const std::filesystem::path& path,
                const formats::OpenOptions& options) {
  try {
    const auto source = format.open(path, options);
    const auto& info = source->info();
    WEIR_CHECK(info.channel_count() > 0);
    const std::int64_t most =
        std::max(std::int64_t{1}, std::int64_t{1 << 16} / info.channel_count());
    for (std::int64_t s = 0; s < std::min<std::int64_t>(4, std::ssize(info.segments)); ++s) {
      const std::int64_t frames = info.segments[s].frames;
      WEIR_CHECK(frames >= 0);
      sample(*source, s, 0, most);
      sample(*source, s, std::max(std::int64_t{0}, frames - most / 2), most);
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) {
      throw;
    }
  }
}

}  // namespace weir::testing
