#include "weir/signal/ops/peaks/peaks.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// Noise of standard deviation 12: 60 is five of them.
void peaks(benchmark::State& bench, double height, double distance_s, double radius_um) {
  StreamInfo stream = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(c / 2), 0};
  }
  Value params = Value::object();
  params.set("peak_sign", "neg");
  params.set("height", height);
  if (distance_s > 0) {
    params.set("distance_s", distance_s);
  }
  if (radius_um > 0) {
    params.set("radius_um", radius_um);
  }
  const auto step = peaks_operator().plan(params, {.in = stream, .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

#define PEAKS_BENCH(...) \
  BENCHMARK_CAPTURE(peaks, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
PEAKS_BENCH(high, 60, 0, 0);
PEAKS_BENCH(apart, 60, 0.001, 0);
PEAKS_BENCH(locally_exclusive, 60, 0.001, 50);
PEAKS_BENCH(locally_exclusive_at_three_sd, 36, 0.001, 50);
}  // namespace
}  // namespace weir::signal
