#include "weir/signal/ops/int_cast/int_cast.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void int_cast(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("gain", 0.195);
  const auto step = int_cast_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK(int_cast)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
