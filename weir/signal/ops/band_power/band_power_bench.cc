#include "weir/signal/ops/band_power/band_power.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void band_power(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("bands", Value::Array{Value::Array{300, 1000}, Value::Array{1000, 6000}});
  const auto step = band_power_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = 160});
}

BENCHMARK(band_power)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
