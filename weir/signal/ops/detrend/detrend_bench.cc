#include "weir/signal/ops/detrend/detrend.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
StreamInfo stream() {
  return testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
}

void detrend_linear(benchmark::State& bench) {
  const auto unfitted =
      detrend_operator().plan(Value::object(), {.in = stream(), .temporary_folder = {}});
  const auto fitter = unfitted->fitter();
  fitter->add(testing::bench_recording(SampleType::float32).block());
  testing::time_step(bench, *unfitted->fitted(op::finish_alone(*fitter)), {});
}
BENCHMARK(detrend_linear)->UseManualTime()->Unit(benchmark::kMillisecond);

void detrend_fit(benchmark::State& bench) {
  const auto unfitted =
      detrend_operator().plan(Value::object(), {.in = stream(), .temporary_folder = {}});
  const Buffer in = testing::bench_recording(SampleType::float32);
  testing::time_beside_copy(bench, testing::kBenchFrames * testing::kBenchChannels, in.bytes(),
                            [&] {
                              const auto fitter = unfitted->fitter();
                              fitter->add(in.block());
                              benchmark::DoNotOptimize(op::finish_alone(*fitter));
                            });
}
BENCHMARK(detrend_fit)->UseManualTime()->Unit(benchmark::kMillisecond);

void detrend_running(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("scope", "running");
  spec.set("window_s", 0.1);
  const auto step = detrend_operator().plan(spec, {.in = stream(), .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK(detrend_running)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
