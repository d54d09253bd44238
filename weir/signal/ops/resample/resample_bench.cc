#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "weir/op/run_step.h"
#include "weir/signal/ops/resample/resample.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = 60'000;
constexpr std::int64_t kChannels = 384;
constexpr std::int64_t kTile = 256;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Buffer noisy() {
  Buffer buffer(SampleType::float32, kFrames, kChannels);
  const auto noise = testing::noise(kFrames / 10, kChannels, 1);
  for (std::int64_t f = 0; f < kFrames; ++f) {
    for (std::int64_t c = 0; c < kChannels; ++c) {
      buffer.as<float>()(f, c) = noise((f * 7 + f / 6000) % noise.frames, c);
    }
  }
  return buffer;
}

void copy_rows(Block<const float> from, Block<float> to) {
  for (std::int64_t frame = 0; frame < from.frames(); ++frame) {
    std::memcpy(to.row(frame), from.row(frame), kChannels * sizeof(float));
  }
}

/// As the executor does it: tiles come in from memory, run in the cache, and go out to memory.
std::int64_t whole(const op::Step& step, const Buffer& in, const Buffer& out) {
  op::StepRun run(step, {.channel_count = kChannels}, kTile);
  const Buffer tile(SampleType::float32, kTile, kChannels);
  std::int64_t made = 0;
  const op::Receiver receive = [&](AnyBlock block, EventList&) {
    copy_rows(block.as<float>(), out.as<float>().slice(made, block.frames()));
    made += block.frames();
  };
  for (std::int64_t first = 0; first < kFrames; first += kTile) {
    const std::int64_t frames = std::min(kTile, kFrames - first);
    copy_rows(in.as<float>().slice(first, frames), tile.as<float>());
    run.push(tile.first(frames), receive);
  }
  run.finish(receive);
  return made;
}

/// The middle output of channel 0 against a plain double sum.
bool right(const Buffer& in, const Buffer& out, std::int64_t up, std::int64_t down) {
  const auto taps = resample_taps(up, down, {WindowKind::kaiser, {5}});
  const auto half = static_cast<std::int64_t>(taps.size() / 2);
  const std::int64_t k = kFrames * up / down / 2;
  double sum = 0;
  for (std::int64_t j = 0; j < kFrames; ++j) {
    const std::int64_t tap = half + k * down - j * up;
    sum += tap >= 0 && tap <= 2 * half ? taps[static_cast<std::size_t>(tap)] * in.as<float>()(j, 0)
                                       : 0;
  }
  return std::fabs(sum - out.as<float>()(k, 0)) < 1e-5;
}

void resample(benchmark::State& state) {
  const std::int64_t up = state.range(0);
  const std::int64_t down = state.range(1);
  const Buffer in = noisy();
  const Buffer out(SampleType::float32, (kFrames * up + down - 1) / down, kChannels);
  Value params = Value::object();
  params.set("up", up);
  params.set("down", down);
  const auto step = resample_operator().plan(
      params, {.in = testing::make_stream(30000, kChannels, kFrames), .temporary_folder = {}});
  const std::size_t moved = in.bytes() + out.bytes();
  std::vector<std::byte> copy(moved);
  double run_s = 0;
  double copy_s = 0;
  std::int64_t made = 0;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    made = whole(*step, in, out);
    run_s += seconds_since(start);
    state.PauseTiming();
    start = std::chrono::steady_clock::now();
    std::memcpy(copy.data(), copy.data() + moved / 2, moved / 2);
    copy_s += seconds_since(start);
    state.ResumeTiming();
  }
  if (made != out.frames() || !right(in, out, up, down)) {
    state.SkipWithError("wrong result");
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["samples/s"] =
      benchmark::Counter(runs * kFrames * kChannels, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(runs * static_cast<double>(moved), benchmark::Counter::kIsRate);
  state.counters["share of copy"] = copy_s / run_s;
}

BENCHMARK(resample)->Args({1, 3})->Args({1, 30})->Args({5, 3})->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
