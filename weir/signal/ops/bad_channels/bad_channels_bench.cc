#include "weir/signal/ops/bad_channels/bad_channels.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// The fit on two seconds, which is what there is to be fast at.
void bad_channels_fit(benchmark::State& bench, const char* method) {
  StreamInfo stream = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(c / 2), 0};
  }
  Value params = Value::object();
  params.set("method", method);
  const auto step = bad_channels_operator().plan(params, {.in = stream, .temporary_folder = {}});
  const Buffer in = testing::bench_recording(SampleType::float32);
  testing::time_beside_copy(bench, testing::kBenchFrames * testing::kBenchChannels, in.bytes(),
                            [&] {
                              const auto fitter = step->fitter();
                              fitter->add(in.block());
                              benchmark::DoNotOptimize(op::finish_alone(*fitter));
                            });
}

BENCHMARK_CAPTURE(bad_channels_fit, coherence_psd, "coherence+psd")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bad_channels_fit, mad, "mad")->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
