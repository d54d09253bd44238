#include "weir/signal/ops/notch/notch.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void notch(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("freq_hz", 60.0);
  const auto step = notch_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK(notch)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
