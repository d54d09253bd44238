#include "weir/signal/ops/coherence/coherence.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// One channel with each of the other 383.
void coherence(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("reference_channel", 0);
  const auto step = coherence_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = 160});
}

BENCHMARK(coherence)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
