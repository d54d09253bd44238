#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "weir/core/buffer.h"
#include "weir/signal/ops/scale/scale.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = 60'000;
constexpr std::int64_t kChannels = 384;

/// Only an executor that does not honour `relabels_only` ever pays this.
void scale_copy_int16(benchmark::State& bench) {
  const Buffer in(SampleType::int16, kFrames, kChannels);
  const Buffer out(SampleType::int16, kFrames, kChannels);
  Value spec = Value::object();
  spec.set("gain", 2.0);
  const auto step = scale_operator().plan(
      spec, {.in = testing::make_stream(30'000, kChannels, kFrames, SampleType::int16),
             .temporary_folder = {}});
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
BENCHMARK(scale_copy_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
