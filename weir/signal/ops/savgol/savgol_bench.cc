#include "weir/signal/ops/savgol/savgol.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void savgol(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("window_length", bench.range(0));
  spec.set("polyorder", 3);
  const auto step = savgol_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

BENCHMARK(savgol)->Arg(11)->Arg(51)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
