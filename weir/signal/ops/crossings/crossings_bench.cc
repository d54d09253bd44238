#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <vector>

#include "weir/core/temporary_file.h"
#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = 60'000;
constexpr std::int64_t kChannels = 384;
constexpr std::int64_t kTile = 256;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// White noise of sd 1 with a spike of 12 sd some 20 times a second and channel at 30 kHz.
Buffer spiking() {
  Buffer buffer(SampleType::float32, kFrames, kChannels);
  const auto noise = testing::noise(kFrames / 10, kChannels, 1);
  const auto rows = buffer.as<float>();
  for (std::int64_t f = 0; f < kFrames; ++f) {
    for (std::int64_t c = 0; c < kChannels; ++c) {
      const bool spike = (f + 37 * c) % 1500 < 8;
      rows(f, c) = noise((f * 7 + f / 6000) % noise.frames, c) - (spike ? 12.0F : 0.0F);
    }
  }
  return buffer;
}

void report(benchmark::State& state, const Buffer& data, double seconds, double copy_s) {
  const auto runs = static_cast<double>(state.iterations());
  const double bytes = static_cast<double>(data.bytes());
  state.counters["samples/s"] =
      benchmark::Counter(runs * kFrames * kChannels, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] = benchmark::Counter(runs * bytes, benchmark::Counter::kIsRate);
  // It only reads, so the copy of half the bytes moves as many.
  state.counters["share of copy"] = copy_s / 2 / seconds;
}

void detect(benchmark::State& state, const char* unit) {
  const Buffer data = spiking();
  std::vector<std::byte> copy(data.bytes());
  StreamInfo in = testing::make_stream(30000, kChannels, kFrames);
  const Crossings params{.level = -5, .refractory_s = 0.001};
  const auto levels = crossing_levels(params, in.channels, std::vector<double>(kChannels, 1.0));
  const auto rules = crossing_rules(params, in.rate);
  Value document = Value::object();
  document.set("level", -5.0);
  document.set("level_unit", unit);
  auto step = crossings_operator().plan(document, {.in = in, .temporary_folder = {}});
  double scan_s = 0;
  double copy_s = 0;
  EventList events;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    const auto detector = step->start({.channel_count = kChannels});
    events.clear();
    for (std::int64_t first = 0; first < kFrames; first += kTile) {
      const auto tile = data.as<float>().slice(first, std::min(kTile, kFrames - first));
      scan_crossings(rules, levels, static_cast<CrossingState&>(*detector), tile, events);
    }
    scan_s += seconds_since(start);
    state.PauseTiming();
    start = std::chrono::steady_clock::now();
    std::memcpy(copy.data(), data.block().data(), copy.size());
    copy_s += seconds_since(start);
    state.ResumeTiming();
  }
  if (events.size() < kChannels * (kFrames / 1500 - 1)) {
    state.SkipWithError("too few events");
  }
  state.counters["events"] = static_cast<double>(events.size());
  report(state, data, scan_s, copy_s);
}

void measure_scale(benchmark::State& state, LevelUnit unit) {
  const Buffer data = spiking();
  const StreamInfo in = testing::make_stream(30000, kChannels, kFrames);
  for (auto _ : state) {
    const auto fitter = make_scale_fitter(unit, in, temporary_folder({}));
    for (std::int64_t first = 0; first < kFrames; first += kTile) {
      fitter->add(data.block().slice(first, std::min(kTile, kFrames - first)));
    }
    benchmark::DoNotOptimize(fitter->finish());
  }
  state.counters["samples/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * kFrames * kChannels, benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(detect, crossings_spikes, "signal")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measure_scale, mad, LevelUnit::mad)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measure_scale, sd, LevelUnit::sd)->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
