#include "weir/signal/ops/scale/scale.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// Only an executor that does not honour `relabels_only` ever pays this.
void scale_copy_int16(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("gain", 2.0);
  const auto step = scale_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames,
                                        SampleType::int16),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {.type = SampleType::int16, .block = testing::kBenchFrames});
}
BENCHMARK(scale_copy_int16)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
