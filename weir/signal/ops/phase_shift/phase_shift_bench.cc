#include "weir/signal/ops/phase_shift/phase_shift.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void phase_shift(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("probe", "neuropixels_1");
  spec.set("taps", bench.range(0));
  const auto step = phase_shift_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

BENCHMARK(phase_shift)->Arg(24)->Arg(32)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
