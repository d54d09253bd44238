#include "weir/signal/ops/rectify/rectify.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void rectify(benchmark::State& bench, const char* mode) {
  Value spec = Value::object();
  spec.set("mode", mode);
  const auto step = rectify_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.block = testing::kBenchFrames});
}

BENCHMARK_CAPTURE(rectify, full, "full")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rectify, half, "half")->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
