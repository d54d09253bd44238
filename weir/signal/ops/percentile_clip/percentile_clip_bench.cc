#include "weir/signal/ops/percentile_clip/percentile_clip.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void percentile_fit(benchmark::State& bench) {
  Value spec = Value::object();
  spec.set("lower", 1.0);
  spec.set("upper", 99.0);
  const auto step = percentile_clip_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  const Buffer in = testing::bench_recording(SampleType::float32);
  testing::time_beside_copy(bench, testing::kBenchFrames * testing::kBenchChannels, in.bytes(),
                            [&] {
                              const auto fitter = step->fitter();
                              fitter->add(in.block());
                              benchmark::DoNotOptimize(op::finish_alone(*fitter));
                            });
}
BENCHMARK(percentile_fit)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
