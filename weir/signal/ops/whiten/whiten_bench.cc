#include "weir/signal/ops/whiten/whiten.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
std::unique_ptr<op::Step> planned(const char* mode) {
  StreamInfo stream = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(c / 2), 0};
  }
  Value params = Value::object();
  params.set("mode", mode);
  return whiten_operator().plan(params, {.in = stream, .temporary_folder = {}});
}

void whiten(benchmark::State& bench, const char* mode) {
  const auto step = planned(mode);
  const Buffer sample = testing::bench_recording(SampleType::float32, 4000);
  const auto fitter = step->fitter();
  fitter->add(sample.block());
  testing::time_step(bench, *step->fitted(op::finish_alone(*fitter)), {});
}

void whiten_fit(benchmark::State& bench) {
  const auto step = planned("global");
  const Buffer sample = testing::bench_recording(SampleType::float32, 30'000);
  testing::time_beside_copy(bench, 30'000 * testing::kBenchChannels, sample.bytes(), [&] {
    const auto fitter = step->fitter();
    fitter->add(sample.block());
    benchmark::DoNotOptimize(op::finish_alone(*fitter));
  });
}

BENCHMARK_CAPTURE(whiten, global, "global")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whiten, local, "local")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(whiten_fit)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
