#include "weir/signal/ops/square/square.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void square(benchmark::State& bench) {
  const auto step = square_operator().plan(
      Value::object(),
      {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
       .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = testing::kBenchFrames});
}

BENCHMARK(square)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
