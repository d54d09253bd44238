#include "weir/signal/ops/hilbert/hilbert.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void hilbert(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("low_hz", bench.range(0));
  const auto step = hilbert_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = std::max<std::int64_t>(160, step->max_output(1))});
}

BENCHMARK(hilbert)->Arg(1000)->Arg(300)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
