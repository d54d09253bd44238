#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "weir/core/buffer.h"
#include "weir/signal/ops/rectify/rectify.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = 60'000;
constexpr std::int64_t kChannels = 384;

/// One thread over the whole array, a copy of the same bytes before every turn.
void rectify(benchmark::State& bench, const char* mode) {
  const Buffer in(SampleType::float32, kFrames, kChannels);
  const auto noise = testing::noise(100, kChannels, 10);
  for (std::int64_t t = 0; t < kFrames; ++t) {
    std::copy_n(&noise.values[static_cast<std::size_t>(t % 100 * kChannels)], kChannels,
                in.as<float>().row(t));
  }
  const Buffer out(SampleType::float32, kFrames, kChannels);
  Value spec = Value::object();
  spec.set("mode", mode);
  const auto step = rectify_operator().plan(
      spec, {.in = testing::make_stream(30'000, kChannels, kFrames), .temporary_folder = {}});
  const auto state = step->start({0, 0, 0, kChannels});
  double copy = 1e9;
  double seconds = 0;
  using Clock = std::chrono::steady_clock;
  for (auto _ : bench) {
    const auto start = Clock::now();
    std::memcpy(out.block().data(), in.block().data(), in.bytes());
    benchmark::ClobberMemory();
    const auto copied = Clock::now();
    op::Emission emission{out.block()};
    step->run(*state, in.block(), std::span(&emission, 1));
    const std::chrono::duration<double> took = Clock::now() - copied;
    copy = std::min(copy, std::chrono::duration<double>(copied - start).count());
    seconds += took.count();
    bench.SetIterationTime(took.count());
  }
  const double repeats = static_cast<double>(bench.iterations());
  bench.counters["samples/s"] = kFrames * kChannels * repeats / seconds;
  bench.counters["bytes/s"] = 2 * static_cast<double>(in.bytes()) * repeats / seconds;
  bench.counters["of copy"] = copy * repeats / seconds;
}

void rectify_full(benchmark::State& bench) {
  rectify(bench, "full");
}
void rectify_half(benchmark::State& bench) {
  rectify(bench, "half");
}
BENCHMARK(rectify_full)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(rectify_half)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
