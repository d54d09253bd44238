#include "weir/signal/ops/log/log.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void log_of_magnitude(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("base", "dB");
  spec.set("floor", 1e-3);
  const auto step = log_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK(log_of_magnitude)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
