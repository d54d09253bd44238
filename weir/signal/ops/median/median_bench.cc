#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "weir/core/buffer.h"
#include "weir/signal/ops/median/median.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = 60'000;
constexpr std::int64_t kChannels = 384;
using Clock = std::chrono::steady_clock;

Buffer noise_rows(std::int64_t frames) {
  const auto noise = testing::noise(2000, kChannels, 10);
  Buffer rows(SampleType::float32, frames, kChannels);
  for (std::int64_t t = 0; t < frames; ++t) {
    std::copy_n(&noise.values[static_cast<std::size_t>(t % noise.frames * kChannels)], kChannels,
                rows.as<float>().row(t));
  }
  return rows;
}

/// One thread over kFrames frames of an array, in blocks of `block` frames whose output stands in
/// one room, as in the executor. Before each turn the array is copied.
void running_median(benchmark::State& bench, std::int64_t width, std::int64_t block) {
  const Buffer in = noise_rows(kFrames);
  const Buffer copied(SampleType::float32, kFrames, kChannels);
  const Buffer room(SampleType::float32, block, kChannels);
  Value spec = Value::object();
  spec.set("width", width);
  const auto step = median_operator().plan(
      spec, {.in = testing::make_stream(30'000, kChannels, kFrames), .temporary_folder = {}});
  double copy = 1e9;
  double seconds = 0;
  for (auto _ : bench) {
    const auto state = step->start({0, 0, 0, kChannels});
    const auto start = Clock::now();
    std::memcpy(copied.block().data(), in.block().data(), in.bytes());
    benchmark::ClobberMemory();
    const auto middle = Clock::now();
    for (std::int64_t at = 0; at < kFrames; at += block) {
      op::Emission emission{room.block()};
      step->run(*state, in.block().slice(at, std::min(block, kFrames - at)),
                std::span(&emission, 1));
    }
    const std::chrono::duration<double> took = Clock::now() - middle;
    copy = std::min(copy, std::chrono::duration<double>(middle - start).count());
    seconds += took.count();
    bench.SetIterationTime(took.count());
  }
  const double repeats = static_cast<double>(bench.iterations());
  bench.counters["samples/s"] = kFrames * kChannels * repeats / seconds;
  bench.counters["bytes/s"] = 2 * static_cast<double>(in.bytes()) * repeats / seconds;
  bench.counters["of copy"] = copy * repeats / seconds;
}

void running_median_3(benchmark::State& bench) {
  running_median(bench, 3, 160);
}
void running_median_9(benchmark::State& bench) {
  running_median(bench, 9, 160);
}
void running_median_9_whole_array(benchmark::State& bench) {
  running_median(bench, 9, kFrames);
}
void running_median_17(benchmark::State& bench) {
  running_median(bench, 17, 160);
}
void running_median_33(benchmark::State& bench) {
  running_median(bench, 33, 160);
}
void running_median_101(benchmark::State& bench) {
  running_median(bench, 101, 160);
}
BENCHMARK(running_median_3)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(running_median_9)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(running_median_9_whole_array)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(running_median_17)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(running_median_33)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(running_median_101)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
