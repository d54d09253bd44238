#include "weir/signal/ops/fir/fir.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void fir(benchmark::State& bench, const char* method) {
  Value spec = Value::object();
  spec.set("band", "bandpass");
  spec.set("cutoff_hz", Value::Array{Value(300.0), Value(6000.0)});
  spec.set("length", bench.range(0));
  spec.set("method", method);
  const auto step = fir_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = 256});
}

BENCHMARK_CAPTURE(fir, direct, "direct")
    ->Arg(63)
    ->Arg(129)
    ->Arg(601)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fir, fft, "fft")
    ->Arg(63)
    ->Arg(129)
    ->Arg(601)
    ->Arg(4001)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
