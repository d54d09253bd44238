#include "weir/signal/ops/blank/blank.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void blank(benchmark::State& bench, const char* mode) {
  Value times = Value::array();
  for (int i = 0; i < 40; ++i) {
    times.push_back(0.05 * i);
  }
  Value spec = Value::object();
  spec.set("times_s", std::move(times));
  spec.set("mode", mode);
  const auto step = blank_operator().plan(
      spec, {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
             .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}
BENCHMARK_CAPTURE(blank, zeros, "zeros")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(blank, linear, "linear")->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
