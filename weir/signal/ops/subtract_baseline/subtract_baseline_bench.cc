#include "weir/signal/ops/subtract_baseline/subtract_baseline.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void subtract_baseline(benchmark::State& bench, const char* statistic) {
  Value spec = Value::object();
  spec.set("baseline_s", 0.1);
  spec.set("statistic", statistic);
  const auto step = subtract_baseline_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK_CAPTURE(subtract_baseline, mean, "mean")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(subtract_baseline, median, "median")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
