#include "weir/signal/ops/median/median.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void running_median(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("width", bench.range(0));
  const auto step = median_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = bench.range(1)});
}

BENCHMARK(running_median)
    ->ArgNames({"width", "block"})
    ->ArgsProduct({{3, 9, 17, 33, 101}, {160}})
    ->Args({9, testing::kBenchFrames})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
