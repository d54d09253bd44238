#include "weir/signal/ops/gaussian/gaussian.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void gaussian(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("sigma", bench.range(0));
  const auto step = gaussian_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = std::max<std::int64_t>(160, step->max_output(1))});
}

BENCHMARK(gaussian)->Arg(3)->Arg(30)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
