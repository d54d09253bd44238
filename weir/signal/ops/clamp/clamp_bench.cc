#include "weir/signal/ops/clamp/clamp.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void clamp(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("min", -20.0);
  spec.set("max", 20.0);
  const auto step = clamp_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK(clamp)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
