#include "weir/signal/ops/interpolate/interpolate.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void interpolate(benchmark::State& bench) {
  StreamInfo stream = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(c / 2), 0};
  }
  Value params = Value::object();
  params.set("channels", Value::Array{10, 100, 200});
  const auto step = interpolate_operator().plan(params, {.in = stream, .temporary_folder = {}});
  testing::time_step(bench, *step, {});
}

BENCHMARK(interpolate)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
