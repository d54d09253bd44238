#include "weir/signal/ops/zscore/zscore.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
StreamInfo stream() {
  return testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
}

void zscore_global(benchmark::State& bench) {
  const auto unfitted =
      zscore_operator().plan(Value::object(), {.in = stream(), .temporary_folder = {}});
  const auto fitter = unfitted->fitter();
  fitter->add(testing::bench_recording(SampleType::float32, 4096).block());
  testing::time_step(bench, *unfitted->fitted(op::finish_alone(*fitter)), {});
}
BENCHMARK(zscore_global)->UseManualTime()->Unit(benchmark::kMillisecond);

void zscore_running(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("scope", "running");
  spec.set("window_s", 0.1);
  const auto step = zscore_operator().plan(spec, {.in = stream(), .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK(zscore_running)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
