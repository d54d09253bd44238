#include "weir/testing/bench_recording.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "weir/op/run_step.h"
#include "weir/testing/samples.h"

namespace weir::testing {
namespace {
double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  benchmark::ClobberMemory();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

Buffer bench_recording(SampleType type, std::int64_t frames, double sd) {
  const auto noise = testing::noise(std::min<std::int64_t>(frames, 2000), kBenchChannels, sd);
  Buffer buffer(type, frames, kBenchChannels);
  for (std::int64_t t = 0; t < frames; ++t) {
    const float* row = &noise.values[static_cast<std::size_t>(t % noise.frames * kBenchChannels)];
    if (type == SampleType::int16) {
      std::transform(row, row + kBenchChannels, buffer.as<std::int16_t>().row(t),
                     [](float value) { return static_cast<std::int16_t>(std::nearbyint(value)); });
    } else {
      std::copy_n(row, kBenchChannels, buffer.as<float>().row(t));
    }
  }
  return buffer;
}

double seconds_of_copy(std::size_t bytes) {
  const AlignedBytes source(bytes);
  const AlignedBytes target(bytes);
  // Touched once, so that no page is first met while the clock runs.
  std::memset(source.data(), 1, bytes);
  double best = 1e9;
  for (int turn = 0; turn < 7; ++turn) {
    best = std::min(best, seconds_of([&] { std::memcpy(target.data(), source.data(), bytes); }));
  }
  return best;
}

void time_beside_copy(benchmark::State& bench, std::int64_t samples, std::size_t bytes_moved,
                      const std::function<void()>& work) {
  const double copy = seconds_of_copy(bytes_moved / 2);
  double seconds = 0;
  for (auto _ : bench) {
    const double taken = seconds_of(work);
    seconds += taken;
    bench.SetIterationTime(taken);
  }
  const auto turns = static_cast<double>(bench.iterations());
  bench.counters["samples/s"] = static_cast<double>(samples) * turns / seconds;
  bench.counters["bytes/s"] = static_cast<double>(bytes_moved) * turns / seconds;
  bench.counters["of copy"] = copy * turns / seconds;
}

void time_step(benchmark::State& bench, const op::Step& step, const BlockWise& way) {
  const Buffer in = bench_recording(way.type, way.in_cache ? way.block : kBenchFrames);
  constexpr std::int64_t kSamples = kBenchFrames * kBenchChannels;
  std::size_t made = 0;
  const op::Receiver receive = [&](AnyBlock block, EventList&) {
    made += static_cast<std::size_t>(block.frames() * block.channels()) * size_of(block.type());
  };
  const auto whole = [&] {
    op::StepRun run(step, {0, 0, 0, kBenchChannels}, way.block);
    made = 0;
    for (std::int64_t at = 0; at < kBenchFrames; at += way.block) {
      const std::int64_t count = std::min(way.block, kBenchFrames - at);
      run.push(in.block().slice(way.in_cache ? 0 : at, count), receive);
    }
    run.finish(receive);
  };
  whole();
  time_beside_copy(bench, kSamples, kSamples * size_of(way.type) + made, whole);
}

}  // namespace weir::testing
