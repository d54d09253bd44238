#include "weir/signal/ops/decimate/decimate.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void decimate(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("q", bench.range(0));
  const auto step = decimate_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

BENCHMARK(decimate)->Arg(12)->Arg(30)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
