#include "weir/signal/ops/remove_saturation/remove_saturation.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// Noise of standard deviation 12, of which a sample in 30,000 is above four.
void remove_saturation(benchmark::State& bench, const char* mode) {
  Value spec = Value::object();
  spec.set("level", 50.0);
  spec.set("mode", mode);
  const auto step = remove_saturation_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK_CAPTURE(remove_saturation, linear, "linear")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(remove_saturation, zeros, "zeros")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
