#include "weir/signal/ops/hampel/hampel.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void hampel(benchmark::State& bench, std::int64_t width) {
  Value spec = Value::object();
  spec.set("width", width);
  const auto step = hampel_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK_CAPTURE(hampel, of_7, 7)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hampel, of_31, 31)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
