#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>

#include "weir/core/buffer.h"
#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = 60'000;
constexpr std::int64_t kChannels = 384;

/// Noise counts whose first frames repeat: what a probe sees, without minutes of set-up.
Buffer noise_of(SampleType type, std::int64_t frames) {
  const auto noise = testing::noise(2000, kChannels, 12);
  Buffer buffer(type, frames, kChannels);
  for (std::int64_t t = 0; t < frames; ++t) {
    for (std::int64_t c = 0; c < kChannels; ++c) {
      const float value = noise(t % noise.frames, c);
      if (type == SampleType::int16) {
        buffer.as<std::int16_t>()(t, c) = static_cast<std::int16_t>(std::nearbyint(value));
      } else {
        buffer.as<float>()(t, c) = value;
      }
    }
  }
  return buffer;
}

Value spec_of(const char* statistic, const char* scope) {
  Value spec = Value::object();
  spec.set("statistic", statistic);
  spec.set("scope", scope);
  return spec;
}

StreamInfo probe(SampleType type) {
  StreamInfo stream = testing::make_stream(30'000, kChannels, kFrames, type);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 10.0 * static_cast<double>(c), 0};
    stream.channels[c].group = c < 192 ? "0" : "1";
  }
  return stream;
}

double seconds_of_copy(const Buffer& from, const Buffer& to) {
  const auto bytes = (from.bytes() + to.bytes()) / 2;  // as many in and out as the operator moves
  const AlignedBytes source(bytes);
  const AlignedBytes target(bytes);
  double best = 1e9;
  for (int turn = 0; turn < 7; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(target.data(), source.data(), bytes);
    benchmark::ClobberMemory();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

/// One thread over `frames` rows, again and again until kFrames rows are done.
void run(benchmark::State& bench, SampleType type, const char* statistic, const char* scope,
         std::int64_t frames) {
  const Buffer in = noise_of(type, frames);
  const Buffer out(SampleType::float32, frames, kChannels);
  const auto step = common_reference_operator().plan(spec_of(statistic, scope),
                                                     {.in = probe(type), .temporary_folder = {}});
  const auto state = step->start({0, 0, 0, kChannels});
  const double copy = seconds_of_copy(in, out);
  double seconds = 0;
  for (auto _ : bench) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t done = 0; done < kFrames; done += frames) {
      op::Emission emission{out.block()};
      step->run(*state, in.block(), std::span(&emission, 1));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seconds += took.count();
    bench.SetIterationTime(took.count());
  }
  const double repeats = static_cast<double>(bench.iterations());
  const double rows = static_cast<double>(kFrames / frames * frames);
  bench.counters["samples/s"] = rows * kChannels * repeats / seconds;
  bench.counters["bytes/s"] = rows / static_cast<double>(frames) *
                              static_cast<double>(in.bytes() + out.bytes()) * repeats / seconds;
  bench.counters["of copy"] = copy * rows / static_cast<double>(frames) * repeats / seconds;
}

void median_int16(benchmark::State& bench) {
  run(bench, SampleType::int16, "median", "all", kFrames);
}
void median_float32(benchmark::State& bench) {
  run(bench, SampleType::float32, "median", "all", kFrames);
}
void median_group_int16(benchmark::State& bench) {
  run(bench, SampleType::int16, "median", "group", kFrames);
}
void median_local_int16(benchmark::State& bench) {
  run(bench, SampleType::int16, "median", "local", kFrames);
}
void mean_int16(benchmark::State& bench) {
  run(bench, SampleType::int16, "mean", "all", kFrames);
}
void mean_float32(benchmark::State& bench) {
  run(bench, SampleType::float32, "mean", "all", kFrames);
}
void mean_local_float32(benchmark::State& bench) {
  run(bench, SampleType::float32, "mean", "local", kFrames);
}
// What the fused chain pays: the same work on a tile that stays in the second-level cache.
void mean_int16_in_cache(benchmark::State& bench) {
  run(bench, SampleType::int16, "mean", "all", 160);
}
void mean_float32_in_cache(benchmark::State& bench) {
  run(bench, SampleType::float32, "mean", "all", 160);
}
void median_int16_in_cache(benchmark::State& bench) {
  run(bench, SampleType::int16, "median", "all", 160);
}

BENCHMARK(median_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_group_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_local_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_local_float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_int16_in_cache)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_float32_in_cache)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_int16_in_cache)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
