#include "weir/signal/ops/psd/psd.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void psd(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("nperseg", bench.range(0));
  const auto step = psd_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = 160});
}

BENCHMARK(psd)->Arg(256)->Arg(1000)->Arg(4096)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
