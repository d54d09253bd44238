#include "weir/signal/ops/resample/resample.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void resample(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("up", bench.range(0));
  spec.set("down", bench.range(1));
  const auto step = resample_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = 256});
}

BENCHMARK(resample)->Args({1, 3})->Args({1, 30})->Args({5, 3})->UseManualTime()->Unit(
    benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
