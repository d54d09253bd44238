#include "weir/signal/ops/spatial_highpass/spatial_highpass.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void spatial_highpass(benchmark::State& bench) {
  StreamInfo stream = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    const std::size_t row = c / 2;
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(row), 0};
  }
  Value params = Value::object();

  const auto step =
      spatial_highpass_operator().plan(params, {.in = stream, .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

BENCHMARK(spatial_highpass)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
