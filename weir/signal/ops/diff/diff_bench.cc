#include "weir/signal/ops/diff/diff.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void diff(benchmark::State& bench, std::int64_t n) {
  Value spec = Value::object();
  spec.set("n", n);
  const auto step = diff_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK_CAPTURE(diff, first, 1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(diff, second, 2)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
