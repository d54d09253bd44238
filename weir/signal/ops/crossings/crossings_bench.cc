#include <algorithm>
#include <vector>

#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/signal/spread_fit.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kFrames = testing::kBenchFrames;
constexpr std::int64_t kChannels = testing::kBenchChannels;
constexpr std::int64_t kTile = 256;

/// White noise of sd 1 with a spike of 12 sd some 20 times a second and channel at 30 kHz.
Buffer spiking() {
  Buffer buffer = testing::bench_recording(SampleType::float32, kFrames, 1);
  const auto rows = buffer.as<float>();
  for (std::int64_t f = 0; f < kFrames; ++f) {
    for (std::int64_t c = 0; c < kChannels; ++c) {
      rows(f, c) -= (f + 37 * c) % 1500 < 8 ? 12.0F : 0.0F;
    }
  }
  return buffer;
}

StreamInfo stream() {
  return testing::make_stream(30'000, kChannels, kFrames);
}

void detect(benchmark::State& bench) {
  const Buffer data = spiking();
  const Crossings params{.level = -5, .refractory_s = 0.001};
  const StreamInfo in = stream();
  const auto levels = crossing_levels(params, in.channels, std::vector<double>(kChannels, 1.0));
  const auto rules = crossing_rules(params, in.rate);
  Value document = Value::object();
  document.set("level", -5.0);
  const auto step = crossings_operator().plan(document, {.in = in, .temporary_folder = {}});
  EventList events;
  testing::time_beside_copy(bench, kFrames * kChannels, data.bytes(), [&] {
    const auto detector = step->start({.channel_count = kChannels});
    events.clear();
    for (std::int64_t first = 0; first < kFrames; first += kTile) {
      const auto tile = data.as<float>().slice(first, std::min(kTile, kFrames - first));
      scan_crossings(rules, levels, static_cast<CrossingState&>(*detector), tile, events);
    }
  });
  if (events.size() < kChannels * (kFrames / 1500 - 1)) {
    bench.SkipWithError("too few events");
  }
  bench.counters["events"] = static_cast<double>(events.size());
}

void crossings_scale(benchmark::State& bench, LevelUnit unit) {
  const Buffer data = spiking();
  const StreamInfo in = stream();
  testing::time_beside_copy(bench, kFrames * kChannels, data.bytes(), [&] {
    const auto fitter = make_spread_fitter(unit == LevelUnit::mad ? Spread::mad : Spread::sd, in,
                                           {std::size_t{1} << 30, {}});
    for (std::int64_t first = 0; first < kFrames; first += kTile) {
      fitter->add(data.block().slice(first, std::min(kTile, kFrames - first)));
    }
    benchmark::DoNotOptimize(op::finish_alone(*fitter));
  });
}

BENCHMARK(detect)->Name("crossings_spikes")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(crossings_scale, mad, LevelUnit::mad)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(crossings_scale, sd, LevelUnit::sd)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
