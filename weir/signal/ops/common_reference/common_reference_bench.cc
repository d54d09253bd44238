#include <benchmark/benchmark.h>

#include <chrono>
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

/// A copy of `bytes` reads and writes as many as the operator reads and writes in all.
double seconds_of_copy(std::size_t bytes) {
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

/// One thread over kFrames rows in blocks of `block`, whose output stands in one room, as in the
/// executor. The input is the whole array, or one block again and again if `in_cache`.
struct Way {
  SampleType type = SampleType::int16;
  const char* statistic = "median";
  const char* scope = "all";
  std::int64_t block = 160;
  bool in_cache = false;
};

void run(benchmark::State& bench, const Way& way) {
  const Buffer in = noise_of(way.type, way.in_cache ? way.block : kFrames);
  const Buffer out(SampleType::float32, way.block, kChannels);
  const auto step = common_reference_operator().plan(
      spec_of(way.statistic, way.scope), {.in = probe(way.type), .temporary_folder = {}});
  const auto state = step->start({0, 0, 0, kChannels});
  const double bytes = static_cast<double>(kFrames * kChannels) *
                       static_cast<double>(size_of(way.type) + sizeof(float));
  const double copy = seconds_of_copy(static_cast<std::size_t>(bytes / 2));
  double seconds = 0;
  for (auto _ : bench) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t at = 0; at < kFrames; at += way.block) {
      op::Emission emission{out.block()};
      const AnyBlock rows = in.block().slice(way.in_cache ? 0 : at, way.block);
      step->run(*state, rows, std::span(&emission, 1));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seconds += took.count();
    bench.SetIterationTime(took.count());
  }
  const double repeats = static_cast<double>(bench.iterations());
  bench.counters["samples/s"] = kFrames * kChannels * repeats / seconds;
  bench.counters["bytes/s"] = bytes * repeats / seconds;
  bench.counters["of copy"] = copy * repeats / seconds;
}

constexpr auto kFloat = SampleType::float32;

void median_int16(benchmark::State& bench) {
  run(bench, {});
}
void median_float32(benchmark::State& bench) {
  run(bench, {.type = kFloat});
}
void median_int16_whole_array(benchmark::State& bench) {
  run(bench, {.block = kFrames});
}
void median_float32_whole_array(benchmark::State& bench) {
  run(bench, {.type = kFloat, .block = kFrames});
}
void median_int16_in_cache(benchmark::State& bench) {
  run(bench, {.in_cache = true});
}
void median_group_int16(benchmark::State& bench) {
  run(bench, {.scope = "group"});
}
void median_local_int16(benchmark::State& bench) {
  run(bench, {.scope = "local"});
}
void mean_int16(benchmark::State& bench) {
  run(bench, {.statistic = "mean"});
}
void mean_float32(benchmark::State& bench) {
  run(bench, {.type = kFloat, .statistic = "mean"});
}
void mean_local_float32(benchmark::State& bench) {
  run(bench, {.type = kFloat, .statistic = "mean", .scope = "local"});
}
// What the fused chain pays: the same work on a tile that stays in the second-level cache.
void mean_int16_in_cache(benchmark::State& bench) {
  run(bench, {.statistic = "mean", .in_cache = true});
}
void mean_float32_in_cache(benchmark::State& bench) {
  run(bench, {.type = kFloat, .statistic = "mean", .in_cache = true});
}

BENCHMARK(median_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_int16_whole_array)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_float32_whole_array)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_int16_in_cache)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_group_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(median_local_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_local_float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_int16_in_cache)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(mean_float32_in_cache)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
