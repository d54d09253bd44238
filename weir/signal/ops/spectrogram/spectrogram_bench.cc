#include "weir/signal/ops/spectrogram/spectrogram.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void spectrogram(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("nperseg", bench.range(0));
  const auto step = spectrogram_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = 160});
}

BENCHMARK(spectrogram)->Arg(256)->Arg(1024)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
