#include "weir/signal/ops/fractional_delay/fractional_delay.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void fractional_delay(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("delay_samples", 0.5);
  const auto step = fractional_delay_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

BENCHMARK(fractional_delay)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
