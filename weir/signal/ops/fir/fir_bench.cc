#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "weir/op/run_step.h"
#include "weir/signal/ops/fir/fir.h"
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

/// One output of channel 0 in the middle, against a plain double sum.
bool right(const Buffer& in, const Buffer& out, const std::vector<double>& taps) {
  double sum = 0;
  for (std::size_t j = 0; j < taps.size(); ++j) {
    sum += taps[j] * in.as<float>()(kFrames / 2 - static_cast<std::int64_t>(j), 0);
  }
  return std::fabs(sum - out.as<float>()(kFrames / 2, 0)) < 1e-5;
}

void fir(benchmark::State& state, const char* method) {
  const Buffer in = noisy();
  const Buffer out(SampleType::float32, kFrames, kChannels);
  const StreamInfo stream = testing::make_stream(30000, kChannels, kFrames);
  const Fir filter{.band = FirBand::bandpass, .cutoff_hz = {300, 6000}, .length = state.range(0)};
  Value params = Value::object();
  params.set("band", "bandpass");
  params.set("cutoff_hz", Value::Array{Value(300.0), Value(6000.0)});
  params.set("length", state.range(0));
  params.set("method", method);
  const auto step = fir_operator().plan(params, {.in = stream, .temporary_folder = {}});
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
  if (made != out.frames() || !right(in, out, fir_taps(filter, stream.rate))) {
    state.SkipWithError("wrong result");
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["samples/s"] =
      benchmark::Counter(runs * kFrames * kChannels, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(runs * static_cast<double>(moved), benchmark::Counter::kIsRate);
  state.counters["share of copy"] = copy_s / run_s;
}

BENCHMARK_CAPTURE(fir, direct, "direct")
    ->Arg(63)
    ->Arg(129)
    ->Arg(601)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fir, fft, "fft")
    ->Arg(63)
    ->Arg(129)
    ->Arg(601)
    ->Arg(4001)
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
